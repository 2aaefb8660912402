import { rowTexts } from '../../messages/admin/kit.ts'
import { renumber } from './renumber.ts'
import { isEmptyRow, rowsOf } from './row-list.ts'

/**
 * A list whose rows can be added, removed, and moved. Without this script, some empty rows are at its end; otherwise
 * there is a template of one.
 */
interface RowList {
  element: HTMLElement
  noun: string
  blank: HTMLElement
  /** Number in the labels of the blank row. */
  blankNumber: number
  /** Labels of each row, counted from 1. */
  numbers: Map<HTMLElement, number>
  add: HTMLButtonElement
}

for (const element of document.querySelectorAll<HTMLElement>('[data-rows]')) startRows(element)

/** Gives the rows of a list their buttons. */
export function startRows(element: HTMLElement) {
  const rows = rowsOf(element)
  const template = element.querySelector<HTMLTemplateElement>(':scope > template[data-blank-row]')
  const blank = (template?.content.firstElementChild ?? rows.at(-1))?.cloneNode(true) as
    | HTMLElement
    | undefined
  if (!blank) return
  const noun = element.dataset.rows ?? 'row'
  const add = button(rowTexts.add(noun), () => addRow(list))
  const numbers = new Map(rows.map((row, index) => [row, index + 1]))
  const blankNumber = template ? 1 : rows.length
  const list = { element, noun, blank, blankNumber, numbers, add }
  for (const row of rows) {
    if (!template && isEmptyRow(row)) row.remove()
    else addActions(list, row)
  }
  disableEnds(list)
  add.className = 'btn btn-sm mt-2 self-start'
  element.append(add)
}

function addRow(list: RowList) {
  const row = list.blank.cloneNode(true) as HTMLElement
  const items = list.element.querySelector(':scope > ol')
  if (items) items.append(row)
  else list.add.before(row)
  list.numbers.set(row, list.blankNumber)
  addActions(list, row)
  changed(list)
  for (const inner of row.querySelectorAll<HTMLElement>('[data-rows]')) startRows(inner)
  row.querySelector<HTMLElement>('input, textarea, select')?.focus()
}

function addActions(list: RowList, row: HTMLElement) {
  const actions = actionsOf(list, row)
  actions?.replaceChildren(
    button('↑', () => moveRow(list, row, -1), rowTexts.moveUp(list.noun)),
    button('↓', () => moveRow(list, row, 1), rowTexts.moveDown(list.noun)),
    button('✕', () => removeRow(list, row), rowTexts.remove(list.noun)),
  )
  actions?.classList.replace('hidden', 'flex')
}

// A row that contains a list also contains the buttons of that list's rows.
function actionsOf({ element }: Pick<RowList, 'element'>, row: HTMLElement): HTMLElement | undefined {
  const actions = row.querySelectorAll<HTMLElement>('[data-row-actions]')
  return [...actions].find((one) => one.closest('[data-rows]') === element)
}

function moveRow(list: RowList, row: HTMLElement, by: -1 | 1) {
  const rows = rowsOf(list.element)
  const other = rows[rows.indexOf(row) + by]
  if (!other) return
  if (by < 0) other.before(row)
  else other.after(row)
  changed(list)
  const [up, down] = actionsOf(list, row)?.querySelectorAll('button') ?? []
  const [pressed, opposite] = by < 0 ? [up, down] : [down, up]
  ;(pressed?.disabled ? opposite : pressed)?.focus()
}

function removeRow(list: RowList, row: HTMLElement) {
  row.remove()
  changed(list)
  list.add.focus()
}

// Dispatches the same event as typing does.
function changed({ element, numbers }: RowList) {
  for (const [index, row] of rowsOf(element).entries()) {
    const to = index + 1
    renumber(row, { list: element.dataset.name, from: numbers.get(row) ?? to, to })
    numbers.set(row, to)
  }
  disableEnds({ element })
  element.dispatchEvent(new Event('input', { bubbles: true }))
}

function disableEnds({ element }: Pick<RowList, 'element'>) {
  const rows = rowsOf(element)
  for (const [index, row] of rows.entries()) {
    const [up, down] = actionsOf({ element }, row)?.querySelectorAll('button') ?? []
    if (up) up.disabled = index === 0
    if (down) down.disabled = index === rows.length - 1
  }
}

function button(text: string, onPress: () => void, label?: string): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'btn btn-ghost btn-square btn-sm'
  element.textContent = text
  if (label) element.setAttribute('aria-label', label)
  element.addEventListener('click', onPress)
  return element
}
