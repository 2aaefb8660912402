import { keptTexts as texts } from '#src/messages/admin/editing.ts'
import { formatRecent } from '../../kit/format-time.ts'
import { contentOf, currentValue, savedValue } from '../form-content.ts'
import { forgetOldTexts, type KeptText, type KeptTexts, keptTexts } from './kept-text.ts'

// Keeps typed text in this browser until it is saved, so that a lost session, a crash, or a failed save loses
// nothing.
const DELAY_MS = 400

const form = document.querySelector<HTMLFormElement>('form[data-kept]')
if (form) start(form)

function start(form: HTMLFormElement) {
  const name = `${form.dataset.kept}:${location.pathname}${location.search}`
  const kept = keptTexts(name, { local: localStorage, session: sessionStorage })
  if (document.querySelector('[data-flash=success]')) kept.forgetSent()
  kept.clearSent()
  forgetOldTexts(localStorage, Date.now())
  document.addEventListener('DOMContentLoaded', () => {
    const saved = contentOf(form, savedValue)
    keepTyped(form, kept, saved)
    const isPosted = document.body.dataset.posted === 'true'
    const found = isPosted ? undefined : kept.find()
    if (found && isDifferent(form, found)) offer(form, kept, found)
  })
}

function keepTyped(form: HTMLFormElement, kept: KeptTexts, saved: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const keep = () => {
    timer = undefined
    if (contentOf(form, currentValue) === saved) kept.forget()
    else kept.keep(fieldsOf(form), Date.now())
  }
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(keep, DELAY_MS)
  })
  form.addEventListener('submit', ({ submitter }) => {
    const target = submitter?.getAttribute('formtarget') ?? ''
    if (target !== '' && target !== '_self') return
    kept.keep(fieldsOf(form), Date.now())
    kept.markSent()
  })
  addEventListener('pagehide', () => timer !== undefined && keep())
}

function fieldsOf(form: HTMLFormElement): KeptText['fields'] {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
}

// If the browser has refilled the fields, there is nothing to restore.
function isDifferent(form: HTMLFormElement, { fields }: KeptText): boolean {
  const typed = (pairs: KeptText['fields']) =>
    JSON.stringify(
      pairs
        .filter(([name, value]) => name !== 'based_on' && value !== '')
        .map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]),
    )
  return typed(fields) !== typed(fieldsOf(form))
}

function offer(form: HTMLFormElement, kept: KeptTexts, found: KeptText) {
  const notice = document.querySelector<HTMLElement>('[data-kept-offer]')
  const [message, restore, discard] = ['message', 'restore', 'discard'].map((part) =>
    notice?.querySelector<HTMLElement>(`[data-kept-${part}]`),
  )
  if (!notice || !message || !restore || !discard) return
  const time = timeOf(found.at)
  const isOlder = Object.fromEntries(found.fields).based_on !== fieldValue(form, 'based_on')
  message.textContent = isOlder ? texts.foundOlder(time) : texts.found(time)
  restore.textContent = texts.restore(time)
  notice.hidden = false
  restore.addEventListener('click', () => restoreText(found))
  discard.addEventListener('click', () => {
    kept.forget()
    notice.hidden = true
    form.querySelector<HTMLElement>('input:not([type=hidden]), textarea')?.focus()
  })
}

// The server shows the form with these values, rows included, and saves nothing.
function restoreText({ fields }: KeptText) {
  const form = document.createElement('form')
  form.method = 'post'
  form.hidden = true
  for (const [name, value] of [...fields, ['act', 'restore'] as const]) {
    const field = document.createElement('textarea')
    field.name = name
    field.value = value
    form.append(field)
  }
  document.body.append(form)
  form.submit()
}

function fieldValue(form: HTMLFormElement, name: string): string | undefined {
  return new FormData(form).get(name)?.toString()
}

function timeOf(at: number): string {
  return formatRecent(new Date(at).toISOString(), document.body.dataset.timeZone ?? 'UTC')
}
