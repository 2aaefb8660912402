import { contentOf, currentValue, savedValue } from './form-content.ts'

// Asks before leaving a page with unsaved text in a long form. Doesn't ask if every field has its original value or
// the form is being sent, unless another form has unsaved text. A page that answers a post, such as one with errors,
// shows unsaved text.
const isPosted = document.body.dataset.posted === 'true'
const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guarded]')]
const saved = new Map<HTMLFormElement, string>()
let sent: HTMLFormElement | undefined

// Other scripts may insert rows and local times until then.
document.addEventListener('DOMContentLoaded', () => {
  for (const form of forms) saved.set(form, contentOf(form, savedValue))
})

for (const form of forms) {
  form.addEventListener('submit', ({ submitter }) => {
    const target = submitter?.getAttribute('formtarget') ?? form.target
    sent = target === '' || target === '_self' ? form : undefined
  })
  form.addEventListener('input', () => {
    sent = undefined
  })
}

addEventListener('beforeunload', (event) => {
  const isLost = sent
    ? forms.some((form) => form !== sent && isChanged(form))
    : isPosted || forms.some(isChanged)
  if (forms.length > 0 && isLost) event.preventDefault()
})

// A page restored from the browser's memory was not sent from here.
addEventListener('pageshow', () => {
  sent = undefined
})

function isChanged(form: HTMLFormElement): boolean {
  return contentOf(form, currentValue) !== saved.get(form)
}
