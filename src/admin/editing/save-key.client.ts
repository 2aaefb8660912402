// Ctrl+S or Cmd+S saves. The page comes back where it was left.
const PLACE = 'signpost:place'

const form = document.querySelector<HTMLFormElement>('form[data-save-key]')
const button = form?.querySelector<HTMLButtonElement>('button[data-save]')
if (form && button) start(form, button)
for (const help of document.querySelectorAll<HTMLElement>('[data-key-help]')) help.hidden = false

function start(form: HTMLFormElement, button: HTMLButtonElement) {
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    if (!event.repeat) form.requestSubmit(button)
  })
  form.addEventListener('submit', ({ submitter }) => {
    if (submitter !== button) return
    const field = document.activeElement?.getAttribute('name')
    sessionStorage.setItem(PLACE, JSON.stringify({ path: location.pathname, top: scrollY, field }))
  })
  returnToPlace(form)
}

function returnToPlace(form: HTMLFormElement) {
  const place = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null')
  sessionStorage.removeItem(PLACE)
  const isSaved = document.querySelector('[data-flash=success]') !== null
  if (!isSaved || place?.path !== location.pathname) return
  const field = place.field && form.elements.namedItem(place.field)
  if (field instanceof HTMLElement) field.focus({ preventScroll: true })
  scrollTo(0, place.top)
}
