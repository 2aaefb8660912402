// Sticky parts of a page stay below the message, however many lines it takes. It stays in view where a save returns to,
// until the user scrolls: from then on it would cover what they read.
const message = document.querySelector<HTMLElement>('[data-flash]')
const { style } = document.documentElement
const SCROLL_KEYS = new Set(['PageDown', 'PageUp', 'Home', 'End', 'ArrowDown', 'ArrowUp', ' '])

if (message) {
  new ResizeObserver(() => style.setProperty('--message-height', `${message.offsetHeight}px`)).observe(
    message,
  )
  const pass = () => message.toggleAttribute('data-passed', true)
  for (const kind of ['wheel', 'touchmove']) addEventListener(kind, pass, { passive: true, once: true })
  addEventListener('keydown', ({ key, target }) => {
    const isTyping = target instanceof Element && target.matches('input, textarea, select, button, summary')
    if (SCROLL_KEYS.has(key) && !isTyping) pass()
  })
}
