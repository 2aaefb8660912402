/**
 * Moves the focus to a message and shows its first line at once, where the message is not in view. The browser's own
 * scrolling is smooth here: slow on a long page, and WebKit gives it up when the page gets shorter meanwhile.
 */
export function focusMessage(message: HTMLElement): void {
  message.tabIndex = -1
  message.focus({ preventScroll: true })
  const line = message.firstElementChild ?? message
  line.scrollIntoView({ behavior: 'instant', block: 'nearest' })
}

/**
 * Follows a link from a message to its field. The browser's own way leads nowhere inside a shadow root, and in WebKit to
 * a field that has the focus but takes no keys.
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
