import { mistakesHeading } from '#src/messages/visitor/forms.ts'
import { focusMessage } from './form-focus.ts'
import { ERROR_CLASS, SUMMARY_CLASS } from './form-marks.ts'

const CONTROLS = 'input, select, textarea'

/** Shows messages like the server's page: a focused summary above the form, and one message at each field. */
export function showMistakes(form: HTMLFormElement, errors: Record<string, string[]>): void {
  const items: HTMLElement[] = []
  const left = new Map(Object.entries(errors))
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const name = field.dataset.field ?? ''
    const text = left.get(name)?.join(' ')
    left.delete(name)
    if (text !== undefined) items.push(summaryItem(labelOf(field), text, markInvalid(field, text)))
  }
  // Messages about what the page doesn't show, such as a hidden field.
  for (const texts of left.values()) items.push(element('li', '', texts.join(' ')))
  const list = element('ul', '')
  list.append(...items)
  showProblem(form, mistakesHeading(items.length), list)
}

/** Shows a message above the form and focuses it. */
export function showProblem(form: HTMLFormElement, text: string, ...more: HTMLElement[]): void {
  const summary = element('div', SUMMARY_CLASS)
  summary.setAttribute('role', 'alert')
  summary.dataset.summary = ''
  summary.append(element('p', '', text), ...more)
  form.insertAdjacentElement('beforebegin', summary)
  focusMessage(summary)
}

/** Removes all messages, including those that came with the page. */
export function clearMistakes(form: HTMLFormElement): void {
  form.parentElement?.querySelector('[data-summary]')?.remove()
  for (const message of form.querySelectorAll('[data-field] > [id$="-error"]')) {
    for (const marked of form.querySelectorAll(`[aria-describedby~="${message.id}"]`))
      describe(marked, message.id, false)
    message.remove()
  }
  for (const marked of form.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
}

// Returns the ID of the control that a link points to.
function markInvalid(field: HTMLElement, text: string): string {
  const controls = [...field.querySelectorAll(CONTROLS)]
  const id = controls[0]?.id ?? ''
  const message = element('p', ERROR_CLASS, text)
  message.id = `${id}-error`
  field.append(message)
  const group = field.localName === 'fieldset' ? [field] : []
  for (const one of [...group, ...controls]) describe(one, message.id, true)
  // In ARIA, a group of radio buttons can be invalid, but a single radio button can't.
  for (const one of field.getAttribute('role') === 'radiogroup' ? group : controls)
    one.setAttribute('aria-invalid', 'true')
  return id
}

function describe(control: Element, id: string, isDescribed: boolean) {
  const ids = (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((other) => other && other !== id)
  if (isDescribed) ids.push(id)
  if (ids.length > 0) control.setAttribute('aria-describedby', ids.join(' '))
  else control.removeAttribute('aria-describedby')
}

function summaryItem(label: string, text: string, id: string): HTMLElement {
  const item = element('li', '')
  const link = element('a', '', label)
  link.setAttribute('href', `#${id}`)
  item.append(link, `: ${text}`)
  return item
}

function labelOf(field: HTMLElement): string {
  const label = field.querySelector('legend') ?? field.querySelector('label')
  return field.dataset.label ?? label?.textContent.trim() ?? ''
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}
