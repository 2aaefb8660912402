import { type FocusPlace, findPlace, placeOf } from './focus-place.ts'

// Ctrl+S or Cmd+S saves the form with the cursor, or the only one. After any button that comes back to the form, the page
// returns to the same scroll position and the focus to the same control.
const PLACE = 'signpost:place'
const HOLD_MS = 2_000

const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guarded]')]
let lastField: Element | undefined
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
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && !(target instanceof HTMLButtonElement)) lastField = target
  })
  for (const form of forms)
    form.addEventListener('submit', ({ submitter }) => {
      const isElsewhere = submitter?.hasAttribute('formtarget') || submitter?.hasAttribute('formaction')
      if (!isElsewhere) keepPlace(form)
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
  /** A control in view, and its distance from the top of the window: a notice above it may come or go. */
  seen: { control: FocusPlace; top: number } | undefined
  caret: [number | null, number | null] | undefined
}

function keepPlace(form: HTMLFormElement) {
  const active = document.activeElement
  const place: Place = {
    path: location.pathname,
    top: scrollY,
    form: forms.indexOf(form),
    focus: active && form.contains(active) ? placeOf(form, active) : undefined,
    seen: findSeen(form),
    caret: isText(active) ? [active.selectionStart, active.selectionEnd] : undefined,
  }
  sessionStorage.setItem(PLACE, JSON.stringify(place))
}

// A control that was edited last is where the user looks.
function findSeen(form: HTMLFormElement): Place['seen'] {
  const edited = lastField && form.contains(lastField) ? [lastField] : []
  for (const one of [...edited, ...form.elements]) {
    const { top, height } = one.getBoundingClientRect()
    const control = height > 0 && top >= 0 && top < innerHeight ? placeOf(form, one) : undefined
    if (control) return { control, top }
  }
  return undefined
}

function saveButtonOf(form: HTMLFormElement): HTMLButtonElement | null {
  return form.querySelector('button[data-save]') ?? form.querySelector('button[type=submit].btn-primary')
}

function returnToPlace() {
  const place: Place | null = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null')
  sessionStorage.removeItem(PLACE)
  const isSaved = document.querySelector('[data-flash=success]') !== null
  // After a mistake, the focus goes to its field.
  const isChanged = document.body.dataset.posted === 'true' && !document.querySelector('[data-form-errors]')
  // An address with a part of the page leads there.
  if (!(isSaved || isChanged) || place?.path !== location.pathname || location.hash !== '') return
  const form = forms[place.form]
  const control = form && place.focus && findPlace(form, place.focus)
  control?.focus({ preventScroll: true })
  const [start, end] = place.caret ?? []
  if (isText(control) && start != null) control.setSelectionRange(start, end ?? start)
  scrollTo({ top: place.top, behavior: 'instant' })
  if (form) hold(form, place)
}

// Parts above may still arrive, such as the places of a service. The user's own move ends it.
function hold(form: HTMLFormElement, place: Place) {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => scrollToSeen(form, place))
  const end = () => {
    observer.disconnect()
    style.removeProperty('overflow-anchor')
  }
  style.setProperty('overflow-anchor', 'none')
  observer.observe(form)
  setTimeout(end, HOLD_MS)
  for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(kind, end, { once: true })
}

function scrollToSeen(form: HTMLFormElement, { top, seen }: Place) {
  const box = seen && findPlace(form, seen.control)?.getBoundingClientRect()
  // At the top of the page, a new notice is to be seen.
  if (seen && box && box.height > 0 && top > 0) scrollBy({ top: box.top - seen.top, behavior: 'instant' })
}

function isText(element: unknown): element is HTMLTextAreaElement | HTMLInputElement {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement
}
