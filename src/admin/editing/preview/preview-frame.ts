import { morph } from './morph.ts'

/** A desktop's width, scaled to the pane. */
const DESKTOP_PX = 1200

/** Shows a page in the preview frame. Its links do nothing, because only this page is a preview. */
export function showInFrame(frame: HTMLIFrameElement, html: string): void {
  const shown = frame.contentDocument
  const next = new DOMParser().parseFromString(html, 'text/html')
  if (shown?.body?.dataset.preview && sameStyles(shown, next)) {
    next.body.dataset.preview = 'true'
    morph(shown.body, next.body)
    return
  }
  frame.addEventListener('load', () => prepare(frame), { once: true })
  // Replaces the location, so that it leaves no history entry.
  frame.srcdoc = html
}

/** Scales the frame to a desktop's width, or gives it the width of the pane. */
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
    // Elements in the frame belong to its own window, so `instanceof` fails.
    const pressed = (event.target as Element | null)?.closest?.('a, button')
    if (pressed && !pressed.getAttribute('href')?.startsWith('#')) event.preventDefault()
  })
}

function sameStyles(shown: Document, next: Document): boolean {
  const stylesOf = ({ head }: Document) =>
    [...head.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href')).join()
  return stylesOf(shown) === stylesOf(next)
}
