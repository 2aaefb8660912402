export type Key = 'Tab' | 'Enter' | 'Escape' | ' '

/** The actions of a journey in a tab of any browser. Selectors match one element. */
export interface BrowserTab {
  open(url: string): Promise<void>
  /** Resizes the window. WebKitGTK's is at least 447 pixels wide. */
  setWidth(pixels: number): Promise<void>
  /** Runs a function in the page, which has access only to its argument and the page; results are JSON. */
  run<A, R>(code: (argument: A) => R, argument: A): Promise<R>
  click(selector: string): Promise<void>
  /** Types at the end of a field. */
  type(selector: string, text: string): Promise<void>
  /** Presses a key on the focused element. */
  press(key: Key): Promise<void>
  /** Types a text into the focused element. */
  write(text: string): Promise<void>
  choose(selector: string, file: string): Promise<void>
}

export const WINDOW_HEIGHT = 900

/**
 * Runs in a page: waits for its fonts, which move click targets. At most 5 seconds: WebKitGTK's promise was once still
 * pending after five minutes.
 */
export function waitForFonts(): Promise<boolean> {
  const enough = new Promise((resolve) => setTimeout(resolve, 5_000))
  return Promise.race([document.fonts.ready, enough]).then(() => true)
}

/** Runs in a page: scrolls immediately to the next click target, and not behind the bar at the bottom. */
export function scrollTo(element: Element): void {
  element.scrollIntoView({ behavior: 'instant', block: 'center' })
}
