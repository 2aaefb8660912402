import { contentOf, currentValue, savedValue } from './form-content.ts'

// Asks before a page is left with text that was typed into a long form and not saved. Nothing is asked while every field
// says what it said when the page came, nor when the form is sent. A page that answers a post, such as one with mistakes
// in it, shows what is not saved yet.
const isPosted = document.body.dataset.posted === 'true'
const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guarded]')]
const saved = new Map<HTMLFormElement, string>()
let isSent = false

// Scripts of the page may put rows and local times in place until then.
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

// A page that comes back from the browser's memory was not sent from here.
addEventListener('pageshow', () => {
  isSent = false
})

function isChanged(form: HTMLFormElement): boolean {
  return isPosted || contentOf(form, currentValue) !== saved.get(form)
}
