import Sortable from 'sortablejs'

const form = document.querySelector<HTMLFormElement>('#drop')

// Dropping a term posts its position like every other move; the page then reloads with the new tree.
for (const list of document.querySelectorAll<HTMLElement>('[data-parent]')) {
  Sortable.create(list, {
    group: 'terms',
    handle: '[data-handle]',
    animation: 120,
    fallbackOnBody: true,
    invertSwap: true,
    ghostClass: 'opacity-40',
    onEnd({ item, to, from, newIndex = 0, oldIndex }) {
      if (!form || (to === from && newIndex === oldIndex)) return
      fill(form, {
        term: item.dataset.term,
        parent: to.dataset.parent,
        index: String(newIndex + Number(to.dataset.first ?? 0)),
      })
      form.submit()
    },
  })
}

for (const handle of document.querySelectorAll<HTMLElement>('[data-handle]')) handle.hidden = false

function fill(target: HTMLFormElement, values: Record<string, string | undefined>) {
  for (const [name, value = ''] of Object.entries(values)) {
    const field = target.elements.namedItem(name)
    if (field instanceof HTMLInputElement) field.value = value
  }
}
