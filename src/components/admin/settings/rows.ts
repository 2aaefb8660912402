export {}

// Rows of a list: add, remove, and move up and down. Without this script two empty rows stand at the end.
for (const list of document.querySelectorAll<HTMLFieldSetElement>('fieldset[data-rows]')) start(list)

function start(list: HTMLFieldSetElement) {
  const noun = list.dataset.rows ?? 'row'
  const rows = () => [...list.querySelectorAll<HTMLElement>('[data-row]')]
  const blank = rows().at(-1)?.cloneNode(true) as HTMLElement | undefined
  if (!blank) return
  for (const row of rows().filter(isEmpty)) row.remove()
  for (const row of rows()) addActions(row)
  const add = button(`Add a ${noun}`, () => {
    const row = blank.cloneNode(true) as HTMLElement
    add.before(row)
    addActions(row)
    number()
    row.querySelector<HTMLElement>('input, textarea')?.focus()
  })
  add.className = 'btn btn-sm self-start'
  list.append(add)

  function addActions(row: HTMLElement) {
    const actions = row.querySelector<HTMLElement>('[data-row-actions]')
    actions?.replaceChildren(
      button('↑', () => move(row, -1), `Move this ${noun} up`),
      button('↓', () => move(row, 1), `Move this ${noun} down`),
      button('✕', () => remove(row), `Remove this ${noun}`),
    )
    actions?.classList.replace('hidden', 'flex')
  }

  function move(row: HTMLElement, by: -1 | 1) {
    const all = rows()
    const other = all[all.indexOf(row) + by]
    if (!other) return
    if (by < 0) other.before(row)
    else other.after(row)
    number()
    row.querySelectorAll<HTMLButtonElement>('button')[by < 0 ? 0 : 1]?.focus()
  }

  function remove(row: HTMLElement) {
    row.remove()
    number()
    add.focus()
  }

  function number() {
    for (const [index, row] of rows().entries()) {
      for (const field of row.querySelectorAll('[aria-label][name]')) {
        const label = field.getAttribute('aria-label')?.replace(/\d+$/, String(index + 1))
        field.setAttribute('aria-label', label ?? '')
      }
    }
  }
}

function isEmpty(row: HTMLElement): boolean {
  const fields = row.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...fields].every((field) => field.value === '')
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
