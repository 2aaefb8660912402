import '../editing/rows.client.ts'

/**
 * Shows only the inputs that the selected condition needs, and turns references into buttons that insert themselves.
 */
function enhance(form: HTMLFormElement) {
  const match = form.querySelector<HTMLElement>('[data-match]')
  const rules = form.querySelector<HTMLElement>('[data-rules]')
  const json = form.querySelector<HTMLElement>('[data-json]')
  const template = form.querySelector<HTMLTextAreaElement>('textarea[name=template]')
  const showWhatCounts = () => {
    const chosen = match?.querySelector<HTMLInputElement>('input:checked')?.value ?? 'always'
    if (rules) rules.hidden = chosen !== 'all' && chosen !== 'any'
    if (json) json.hidden = chosen !== 'json'
  }
  match?.addEventListener('change', showWhatCounts)
  showWhatCounts()
  for (const reference of form.querySelectorAll<HTMLElement>('[data-reference]')) {
    if (template) becomeButton(reference, template)
  }
  form.querySelector<HTMLElement>('[data-add-rule]')?.remove()
  const adapt = () => {
    if (rules) hideValues(rules)
    if (rules) suggestNames(rules)
  }
  for (const event of ['change', 'input']) rules?.addEventListener(event, adapt)
  adapt()
}

// Some operators take no value.
function hideValues(rules: HTMLElement) {
  for (const operator of rules.querySelectorAll<HTMLSelectElement>('select[name="rule_op[]"]')) {
    const value = operator.parentElement?.querySelector<HTMLInputElement>('input')
    value?.classList.toggle('invisible', operator.selectedOptions[0]?.dataset.takes === 'nothing')
  }
}

// The names of places or services, or the choices of a question, for a rule about them.
function suggestNames(rules: HTMLElement) {
  for (const field of rules.querySelectorAll<HTMLSelectElement>('select[name="rule_field[]"]')) {
    const value = field.parentElement?.querySelector<HTMLInputElement>('input')
    const names = field.selectedOptions[0]?.dataset.names
    if (names) value?.setAttribute('list', `rule-${names}`)
    else value?.removeAttribute('list')
  }
}

function becomeButton(reference: HTMLElement, template: HTMLTextAreaElement) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'cursor-pointer rounded bg-base-200 px-1 font-mono text-xs hover:bg-base-300'
  button.textContent = reference.textContent
  button.title = reference.dataset.hint ?? ''
  button.addEventListener('click', () => {
    template.setRangeText(
      reference.dataset.reference ?? '',
      template.selectionStart,
      template.selectionEnd,
      'end',
    )
    template.focus()
  })
  reference.replaceWith(button)
}

for (const form of document.querySelectorAll<HTMLFormElement>('[data-webhook-editor]')) enhance(form)
