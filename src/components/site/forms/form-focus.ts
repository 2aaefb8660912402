/**
 * Moves the focus to a message and shows its first line immediately, if it isn't in view. The browser's own smooth
 * scrolling is slow on a long page, and WebKit stops it when the page gets shorter meanwhile.
 */
export function focusMessage(message: HTMLElement): void {
  message.tabIndex = -1
  message.focus({ preventScroll: true })
  const line = message.firstElementChild ?? message
  line.scrollIntoView({ behavior: 'instant', block: 'nearest' })
}

/**
 * Follows a link from a message to its field. The browser's own way fails inside a shadow root, and in WebKit leaves
 * a field focused that takes no keys.
 */
export function followLink(event: Event): void {
  const link = (event.target as Element).closest('a[href^="#"]')
  const root = link?.getRootNode() as Document | ShadowRoot | undefined
  const field = root?.getElementById(link?.getAttribute('href')?.slice(1) ?? '')
  if (!field) return
  event.preventDefault()
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
}
