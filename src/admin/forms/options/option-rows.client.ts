import type { FieldOption } from '#src/forms/fields/field-option.ts'
import { optionRowTexts as texts } from '#src/messages/admin/questions.ts'
import { startRows } from '../../editing/rows.client.ts'
import { linesOf, optionsOf } from './option-lines.ts'

// Edits options in rows of label and value. Their text, one option per line, is what is saved.
for (const text of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-option-rows]')) start(text)

function start(text: HTMLTextAreaElement) {
  const list = create('fieldset', 'flex flex-col gap-2')
  list.dataset.rows = texts.noun
  list.append(create('legend', 'mb-1 text-sm font-medium', texts.legend))
  const template = create('template', '')
  template.dataset.blankRow = ''
  template.content.append(rowOf({ label: '', value: '' }, 1))
  list.append(...optionsOf(text.value).map((option, index) => rowOf(option, index + 1)), template)
  fold(text).before(list)
  startRows(list)
  list.addEventListener('input', () => {
    text.value = linesOf(rowsOf(list))
  })
  text.addEventListener('input', () => {
    for (const row of list.querySelectorAll('[data-row]')) row.remove()
    template.before(...optionsOf(text.value).map((option, index) => rowOf(option, index + 1)))
    list.querySelector(':scope > button')?.remove()
    startRows(list)
  })
}

function rowsOf(list: HTMLElement): FieldOption[] {
  return [...list.querySelectorAll('[data-row]')].map((row) => {
    const [label, value] = row.querySelectorAll('input')
    return { label: label?.value ?? '', value: value?.value ?? '' }
  })
}

function rowOf({ label, value }: FieldOption, number: number): HTMLElement {
  const row = create('div', 'flex items-center gap-2')
  row.dataset.row = ''
  const fields = create('div', 'flex min-w-0 flex-1 flex-col gap-1 sm:flex-row')
  const [first, second] = [input(texts.label(number), label), input(texts.value(number), value)]
  first.dataset.part = 'label'
  first.placeholder = texts.labels.label
  second.placeholder = texts.labels.value
  second.dataset.keyFrom = 'label'
  fields.append(first, second)
  const actions = create('span', 'hidden shrink-0')
  actions.dataset.rowActions = ''
  row.append(fields, actions)
  return row
}

function input(label: string, value: string): HTMLInputElement {
  const element = create('input', 'input w-full')
  element.value = value
  element.autocomplete = 'off'
  element.setAttribute('aria-label', label)
  return element
}

// A long list is easier to paste.
function fold(text: HTMLTextAreaElement): HTMLElement {
  const details = create('details', '')
  details.open = text.getAttribute('aria-invalid') === 'true'
  details.append(create('summary', 'cursor-pointer text-sm font-medium', texts.asText))
  const field = text.parentElement
  field?.before(details)
  if (field) details.append(field)
  // Browsers can't show validation messages inside a closed section, so the server does.
  text.required = false
  return details
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, text?: string) {
  const element = document.createElement(tag)
  element.className = className
  if (text !== undefined) element.textContent = text
  return element
}
