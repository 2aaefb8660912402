// What the editor does more with a script: a preview that follows what is typed.
const PREVIEW_DELAY_MS = 800

const form = document.querySelector<HTMLFormElement>('form[data-entry-editor]')
const button = form?.querySelector<HTMLButtonElement>('button[data-preview]')
const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]')

if (form && button && frame) followTyping(form, button, frame)

// Only once the preview was asked for, so that nobody who just writes pays for it.
function followTyping(form: HTMLFormElement, button: HTMLButtonElement, frame: HTMLIFrameElement) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = false
  let top = 0
  button.addEventListener('click', () => {
    if (!isOpen) frame.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    isOpen = true
  })
  frame.addEventListener('load', () => frame.contentWindow?.scrollTo(0, top))
  form.addEventListener('input', () => {
    if (!isOpen) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      top = frame.contentWindow?.scrollY ?? 0
      form.requestSubmit(button)
    }, PREVIEW_DELAY_MS)
  })
}
