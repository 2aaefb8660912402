import { previewTexts } from '#src/messages/admin/editing.ts'
import { showPart } from './follow-focus.ts'
import { keepPreview, takePreview } from './kept-preview.ts'
import { fitFrame, showInFrame } from './preview-frame.ts'

// The preview follows typing, beside the text on a wide screen and behind a button on a small one.
const DELAY_MS = 350
const VIEW = 'signpost:editor-view'
const WIDE = matchMedia('(min-width: 80rem)')

type View = 'edit' | 'split' | 'preview'

const form = document.querySelector<HTMLFormElement>('form[data-preview-at]')
const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]')
const address = form?.dataset.previewAt
if (form && frame && address) start(form, frame, address)

function start(form: HTMLFormElement, frame: HTMLIFrameElement, address: string) {
  const pane = frame.parentElement as HTMLElement
  const refresh = follow(form, frame, address, readLocked(form))
  const views = [...form.querySelectorAll<HTMLButtonElement>('button[data-show]')]
  const widths = [...form.querySelectorAll<HTMLButtonElement>('button[data-width]')]
  let isDesktop = false
  const fit = () => fitFrame(frame, pane, isDesktop)
  const show = (view: View) => {
    form.dataset.view = view
    for (const button of views) press(button, button.dataset.show === view)
    if (view !== 'edit') refresh()
    fit()
  }
  for (const button of views)
    button.addEventListener('click', () => {
      const view = button.dataset.show as View
      if (WIDE.matches) localStorage.setItem(VIEW, view)
      show(view)
      if (!WIDE.matches) form.scrollIntoView({ block: 'start' })
    })
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return
    event.preventDefault()
    const isSeen = form.dataset.view !== 'edit'
    show(isSeen ? 'edit' : WIDE.matches ? 'split' : 'preview')
  })
  for (const button of widths)
    button.addEventListener('click', () => {
      isDesktop = button.dataset.width === 'desktop'
      for (const one of widths) press(one, one === button)
      fit()
    })
  const showFocused = () => showFocusedPart(form, frame)
  // The cursor arrives after the focus.
  for (const kind of ['focusin', 'click']) form.addEventListener(kind, () => setTimeout(showFocused))
  frame.addEventListener('load', showFocused)
  // A focal point is set in another tab.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && form.dataset.view !== 'edit') refresh()
  })
  const usual = () => show(WIDE.matches ? ((localStorage.getItem(VIEW) as View | null) ?? 'split') : 'edit')
  WIDE.addEventListener('change', usual)
  new ResizeObserver(fit).observe(pane)
  for (const part of form.querySelectorAll<HTMLElement>('[data-with-script]')) part.hidden = false
  for (const part of form.querySelectorAll<HTMLElement>('[data-without-script]')) part.hidden = true
  usual()
}

function showFocusedPart(form: HTMLFormElement, frame: HTMLIFrameElement) {
  const field = document.activeElement
  if (form.dataset.view !== 'edit' && field && form.contains(field)) showPart(frame, field)
}

/**
 * Returns the fields of a form that the user may only read, and enables the buttons of its preview; undefined if the
 * user may change it. Fields that are disabled would not be sent.
 */
function readLocked(form: HTMLFormElement): FormData | undefined {
  const locked = form.querySelector<HTMLFieldSetElement>(':scope > fieldset:disabled')
  if (!locked) return undefined
  locked.disabled = false
  const fields = new FormData(form)
  for (const control of locked.querySelectorAll<HTMLInputElement>('input, select, textarea, button'))
    control.disabled = !control.matches('[data-show], [data-width]')
  return fields
}

/**
 * Returns a function that updates the preview. It requests one only while visible, and ignores outdated responses.
 */
function follow(
  form: HTMLFormElement,
  frame: HTMLIFrameElement,
  address: string,
  locked?: FormData,
): () => void {
  const status = form.querySelector<HTMLElement>('[data-preview-status]')
  let asked: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: string | undefined
  const refresh = async () => {
    asked?.abort()
    asked = new AbortController()
    const { signal } = asked
    const answer = await ask(locked ?? new FormData(form), address, signal)
    if (signal.aborted) return
    if (status) status.textContent = answer.message ?? ''
    if (answer.html === undefined) return
    shown = answer.html
    showInFrame(frame, answer.html)
    showFocusedPart(form, frame)
  }
  const kept = takePreview(address)
  if (kept) {
    frame.addEventListener('load', () => frame.contentWindow?.scrollTo(0, kept.top), { once: true })
    showInFrame(frame, kept.html)
  }
  form.addEventListener('submit', () => {
    const top = frame.contentWindow?.scrollY ?? 0
    if (shown !== undefined) keepPreview({ address, html: shown, top })
  })
  form.addEventListener('input', () => {
    clearTimeout(timer)
    if (form.dataset.view !== 'edit') timer = setTimeout(refresh, DELAY_MS)
  })
  return refresh
}

async function ask(body: FormData, address: string, signal: AbortSignal) {
  try {
    const response = await fetch(address, { method: 'POST', body, signal })
    const text = await response.text()
    const isText = response.ok && response.headers.get('content-type')?.startsWith('text/plain')
    if (isText || response.status === 422) return { message: text.trim() }
    if (response.ok) return { html: text }
    return { message: response.status === 401 ? previewTexts.signedOut : previewTexts.failed }
  } catch {
    return { message: previewTexts.failed }
  }
}

function press(button: HTMLButtonElement, isPressed: boolean) {
  button.setAttribute('aria-pressed', String(isPressed))
  button.classList.toggle('btn-active', isPressed)
}
