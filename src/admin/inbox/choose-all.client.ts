// Selects all leads on the page at once, shows how many are selected, and hides the actions while none is.
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-choosing]')) {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="ids[]"]')]
  const label = form.querySelector<HTMLElement>('[data-choose-all]')
  const all = label?.querySelector('input')
  const told = form.querySelector<HTMLElement>('[data-chosen]')
  const actions = form.querySelectorAll<HTMLElement>('fieldset > button, [data-with-selection]')

  function show() {
    const count = boxes.filter((box) => box.checked).length
    if (told) told.textContent = textOf(told, count)
    if (all) {
      all.checked = count === boxes.length
      all.indeterminate = count > 0 && count < boxes.length
    }
    for (const action of actions) action.hidden = count === 0
  }

  label?.classList.replace('hidden', 'flex')
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    show()
  })
  form.addEventListener('change', show)
  show()
}

function textOf({ dataset: { none = '', some = '' } }: HTMLElement, count: number): string {
  return count === 0 ? none : some.replace('#', String(count))
}
