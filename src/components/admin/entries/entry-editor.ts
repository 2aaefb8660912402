// What the editor does more with a script: times in the viewer's zone, and a preview that follows what is typed.
const PREVIEW_DELAY_MS = 800

const form = document.querySelector<HTMLFormElement>('form[data-entry-editor]')
const button = form?.querySelector<HTMLButtonElement>('button[data-preview]')
const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]')

if (form) useLocalTimes(form)
if (form && button && frame) followTyping(form, button, frame)

function useLocalTimes(form: HTMLFormElement) {
  const inputs = [...form.querySelectorAll<HTMLInputElement>('[data-moment]')]
  for (const input of inputs) if (input.value) input.value = toLocal(new Date(`${input.value}Z`))
  form.addEventListener('formdata', ({ formData }) => {
    for (const { name, value } of inputs) {
      if (value) formData.set(name, new Date(value).toISOString().slice(0, 16))
    }
  })
  for (const { id } of inputs) {
    const help = document.getElementById(`${id}-help`)
    if (help) help.textContent = `Time in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
  }
}

function toLocal(time: Date): string {
  return new Date(time.getTime() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

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
