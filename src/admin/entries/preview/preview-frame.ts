import { morph } from './morph.ts'

/** A desktop's width, scaled to the pane. */
const DESKTOP_PX = 1200

/** Shows a page in the preview's frame. Its links lead nowhere, because only this page is a preview. */
export function showInFrame(frame: HTMLIFrameElement, html: string): void {
  const shown = frame.contentDocument
  const next = new DOMParser().parseFromString(html, 'text/html')
  if (shown?.body?.dataset.preview && sameStyles(shown, next)) {
    next.body.dataset.preview = 'true'
    morph(shown.body, next.body)
    return
  }
  frame.addEventListener('load', () => prepare(frame), { once: true })
  // In place of the address it leaves no trace in the history.
  frame.srcdoc = html
}

/** Scales the frame so that the page has the width of a desktop, or gives it that of the pane. */
export function fitFrame(frame: HTMLIFrameElement, pane: HTMLElement, isDesktop: boolean): void {
  const scale = isDesktop ? Math.min(1, pane.clientWidth / DESKTOP_PX) : 1
  frame.style.width = isDesktop ? `${pane.clientWidth / scale}px` : ''
  frame.style.height = isDesktop ? `${pane.clientHeight / scale}px` : ''
  frame.style.transform = scale === 1 ? '' : `scale(${scale})`
}

function prepare({ contentDocument: shown }: HTMLIFrameElement) {
  if (!shown?.body) return
  shown.body.dataset.preview = 'true'
  shown.addEventListener('click', (event) => {
    // Elements of the frame are of its own window: `instanceof` would say no.
    const pressed = (event.target as Element | null)?.closest?.('a, button')
    if (pressed && !pressed.getAttribute('href')?.startsWith('#')) event.preventDefault()
  })
}

function sameStyles(shown: Document, next: Document): boolean {
  const stylesOf = ({ head }: Document) =>
    [...head.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')).join()
  return stylesOf(shown) === stylesOf(next)
}
