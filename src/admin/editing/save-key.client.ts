// Ctrl+S or Cmd+S saves the form with the cursor, or the only one. The page returns to the same scroll position.
const PLACE = 'signpost:place'

const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guarded]')]
if (forms.length > 0) start()
for (const help of document.querySelectorAll<HTMLElement>('[data-key-help]')) help.hidden = false

function start() {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
    const form = document.activeElement?.closest<HTMLFormElement>('form[data-guarded]') ?? forms[0]
    const button = form && saveButtonOf(form)
    if (!form || !button || document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (!event.repeat) form.requestSubmit(button)
  })
  for (const form of forms)
    form.addEventListener('submit', ({ submitter }) => {
      if (submitter !== saveButtonOf(form)) return
      const active = document.activeElement
      const field = active?.getAttribute('name')
      const caret = isText(active) ? [active.selectionStart, active.selectionEnd] : undefined
      sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: scrollY, field, caret }))
    })
  returnToPlace()
}

function saveButtonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector('button[data-save]') ?? form.querySelector('button[type=submit].btn-primary')
}

function returnToPlace() {
  const place = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null')
  sessionStorage.removeItem(PLACE)
  const isSaved = document.querySelector('[data-flash=success]') !== null
  if (!isSaved || place?.path !== location.pathname) return
  const field = place.field && forms.map(({ elements }) => elements.namedItem(place.field)).find(Boolean)
  if (field instanceof HTMLElement) field.focus({ preventScroll: true })
  if (isText(field) && place.caret?.[0] != null) field.setSelectionRange(place.caret[0], place.caret[1])
  scrollTo(0, place.top)
}

function isText(element: unknown): element is HTMLTextAreaElement | HTMLInputElement {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
}
