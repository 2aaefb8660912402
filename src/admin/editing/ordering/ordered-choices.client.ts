import Sortable from 'sortablejs'
import { orderTexts } from '#src/messages/admin/editing.ts'

for (const list of document.querySelectorAll<HTMLElement>('[data-ordered]')) start(list)

function start(list: HTMLElement) {
  for (const row of rowsOf(list)) {
    part(row, 'handle')?.classList.remove('hidden')
    const place = part(row, 'place') as HTMLInputElement | null
    if (place) place.type = 'hidden'
    const moves = part(row, 'moves')
    const name = moves?.dataset.of ?? ''
    moves?.append(
      button('↑', orderTexts.moveUp(name), () => move(list, row, -1)),
      button('↓', orderTexts.moveDown(name), () => move(list, row, 1)),
    )
    moves?.classList.replace('hidden', 'flex')
  }
  Sortable.create(list, { handle: '[data-ordered-handle]', animation: 150, onEnd: () => renumber(list) })
  showEnds(list)
}

function move(list: HTMLElement, row: HTMLElement, by: -1 | 1) {
  const rows = rowsOf(list)
  const other = rows[rows.indexOf(row) + by]
  if (!other) return
  if (by < 0) other.before(row)
  else other.after(row)
  renumber(list)
  const buttons = row.querySelectorAll<HTMLButtonElement>('[data-ordered-moves] button')
  const pressed = buttons[by < 0 ? 0 : 1]
  // At either end, the button has nothing more to do.
  ;(pressed?.disabled ? buttons[by < 0 ? 1 : 0] : pressed)?.focus()
}

// Dispatches the same event as typing does.
function renumber(list: HTMLElement) {
  for (const [index, row] of rowsOf(list).entries()) {
    const place = part(row, 'place') as HTMLInputElement | null
    if (place) place.value = String(index + 1)
  }
  showEnds(list)
  list.dispatchEvent(new Event('input', { bubbles: true }))
}

function showEnds(list: HTMLElement) {
  const rows = rowsOf(list)
  for (const [index, row] of rows.entries()) {
    const [up, down] = row.querySelectorAll<HTMLButtonElement>('[data-ordered-moves] button')
    if (up) up.disabled = index === 0
    if (down) down.disabled = index === rows.length - 1
  }
}

function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-ordered-row]')]
}

function part(row: HTMLElement, name: string): HTMLElement | null {
  return row.querySelector(`[data-ordered-${name}]`)
}

function button(text: string, label: string, onPress: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'btn btn-ghost btn-square btn-sm'
  element.textContent = text
  element.setAttribute('aria-label', label)
  element.addEventListener('click', onPress)
  return element
}
