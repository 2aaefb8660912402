import Sortable from 'sortablejs'

// Dragging is an alternative: the buttons of each row do the same without a script.
for (const list of document.querySelectorAll<HTMLElement>('[data-sortable]')) {
  for (const handle of list.querySelectorAll('[data-handle]')) handle.classList.remove('hidden')
  Sortable.create(list, { handle: '[data-handle]', animation: 150, onEnd: () => save(list) })
}

async function save(list: HTMLElement) {
  const body = new FormData()
  for (const row of list.querySelectorAll<HTMLElement>('[data-field]')) {
    body.append('names[]', row.dataset.field ?? '')
  }
  await fetch(list.dataset.sortable ?? '', { method: 'POST', body }).catch(() => undefined)
  // Shows the stored order, including in the preview.
  location.reload()
}
