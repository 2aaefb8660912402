import { contentOf, currentValue, savedValue } from './form-content.ts'

// Asks before leaving a page with unsaved text in a long form. Doesn't ask if every field has its original value or
// the form is being sent. A page that answers a post, such as one with errors, shows unsaved text.
const isPosted = document.body.dataset.posted === 'true'
const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guarded]')]
const saved = new Map<HTMLFormElement, string>()
let isSent = false

// Other scripts may insert rows and local times until then.
document.addEventListener('DOMContentLoaded', () => {
  for (const form of forms) saved.set(form, contentOf(form, savedValue))
})

for (const form of forms) {
  form.addEventListener('submit', ({ submitter }) => {
    const target = submitter?.getAttribute('formtarget') ?? form.target
    isSent = target === '' || target === '_self'
  })
  form.addEventListener('input', () => {
    isSent = false
  })
}

addEventListener('beforeunload', (event) => {
  if (!isSent && forms.some(isChanged)) event.preventDefault()
})

// A page restored from the browser's memory was not sent from here.
addEventListener('pageshow', () => {
  isSent = false
})

function isChanged(form: HTMLFormElement): boolean {
  return isPosted || contentOf(form, currentValue) !== saved.get(form)
}
