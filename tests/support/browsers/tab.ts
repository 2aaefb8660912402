export type Key = 'Tab' | 'Enter' | 'Escape' | ' '

/** What a journey does in a tab of any browser. Selectors name one element. */
export interface BrowserTab {
  open(url: string): Promise<void>
  /** Resizes the window. WebKitGTK's is never narrower than 447 pixels. */
  setWidth(pixels: number): Promise<void>
  /** Runs a function in the page. It sees nothing but its argument and the page; results are JSON. */
  run<A, R>(code: (argument: A) => R, argument: A): Promise<R>
  click(selector: string): Promise<void>
  /** Types at the end of a field. */
  type(selector: string, text: string): Promise<void>
  /** Presses a key on whatever has the focus. */
  press(key: Key): Promise<void>
  /** Types a text on whatever has the focus. */
  write(text: string): Promise<void>
  choose(selector: string, file: string): Promise<void>
}

export const WINDOW_HEIGHT = 900

/** Runs in a page: waits for its fonts, which move what a click aims at. */
export function waitForFonts(): Promise<boolean> {
  return document.fonts.ready.then(() => true)
}

/** Runs in a page: scrolls to what is clicked next, at once, and not behind the bar at the bottom. */
export function scrollTo(element: Element): void {
  element.scrollIntoView({ behavior: 'instant', block: 'center' })
}
