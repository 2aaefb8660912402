import { type FocusPlace, findPlace, placeOf } from './focus-place.ts'

// Ctrl+S or Cmd+S saves the form with the cursor, or the only one. The page returns to the same scroll position and the
// focus to the same control.
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
      if (submitter === saveButtonOf(form)) keepPlace(form)
    })
  // Once other scripts have given the rows of lists their buttons.
  document.addEventListener('DOMContentLoaded', returnToPlace)
}

interface Place {
  path: string
  top: number
  /** Position among the forms. */
  form: number
  focus: FocusPlace | undefined
  caret: [number | null, number | null] | undefined
}

function keepPlace(form: HTMLFormElement) {
  const active = document.activeElement
  const place: Place = {
    path: location.pathname,
    top: scrollY,
    form: forms.indexOf(form),
    focus: active && form.contains(active) ? placeOf(form, active) : undefined,
    caret: isText(active) ? [active.selectionStart, active.selectionEnd] : undefined,
  }
  sessionStorage.setItem(PLACE, JSON.stringify(place))
}

function saveButtonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector('button[data-save]') ?? form.querySelector('button[type=submit].btn-primary')
}

function returnToPlace() {
  const place: Place | null = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null')
  sessionStorage.removeItem(PLACE)
  const isSaved = document.querySelector('[data-flash=success]') !== null
  // An address with a part of the page leads there.
  if (!isSaved || place?.path !== location.pathname || location.hash !== '') return
  const form = forms[place.form]
  const control = form && place.focus && findPlace(form, place.focus)
  control?.focus({ preventScroll: true })
  const [start, end] = place.caret ?? []
  if (isText(control) && start != null) control.setSelectionRange(start, end ?? start)
  scrollTo(0, place.top)
}

function isText(element: unknown): element is HTMLTextAreaElement | HTMLInputElement {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
}
