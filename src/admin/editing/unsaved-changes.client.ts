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

function contentOf(form: HTMLFormElement, read: (field: Element) => unknown): string {
  const fields = [...form.elements].filter(
    (field) => field.hasAttribute('name') && !(field instanceof HTMLButtonElement),
  )
  return JSON.stringify(fields.map((field) => [field.getAttribute('name'), read(field)]))
}

function currentValue(field: Element): unknown {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value)
  if (field instanceof HTMLTextAreaElement) return field.value
  if (field instanceof HTMLInputElement) return isTick(field) ? field.checked : field.value
  return null
}

// Not what stands there now: browsers fill in what was typed before a reload.
function savedValue(field: Element): unknown {
  if (field instanceof HTMLSelectElement) {
    const chosen = [...field.options].filter(({ defaultSelected }) => defaultSelected)
    const shown = chosen.length > 0 || field.multiple ? chosen : [...field.options].slice(0, 1)
    return shown.map(({ value }) => value)
  }
  if (field instanceof HTMLTextAreaElement) return field.defaultValue
  if (field instanceof HTMLInputElement) return isTick(field) ? field.defaultChecked : cleanedValue(field)
  return null
}

// As the browser would show it: it leaves out what cannot be a number, a date or a color.
function cleanedValue({ type, defaultValue }: HTMLInputElement): string {
  const probe = document.createElement('input')
  probe.type = type
  probe.value = defaultValue
  return probe.value
}

function isTick({ type }: HTMLInputElement): boolean {
  return type === 'checkbox' || type === 'radio'
}
