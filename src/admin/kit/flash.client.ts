// Sticky parts of a page stay below the message, however many lines it takes.
const message = document.querySelector<HTMLElement>('[data-flash]')
const { style } = document.documentElement

if (message)
  new ResizeObserver(() => style.setProperty('--message-height', `${message.offsetHeight}px`)).observe(
    message,
  )
