import { findFieldType } from '../forms/field-types/field-types.ts'
import { formatLocalTime } from '../lib/locale/local-time.ts'
import { textDirection } from '../lib/locale/locale.ts'
import { toDialable } from '../lib/locale/phone-number.ts'
import { leadLabels, leadMail } from '../messages/mail/leads.ts'
import { composeSubject } from './compose-subject.ts'
import type { MailContent } from './mail-content.ts'

export interface ComposedMail {
  subject: string
  text: string
  html: string
  replyTo: string | undefined
  /** BCP 47. */
  language: string
}

// One plain address: neither a list nor a name, however the check of the field may change.
const PLAIN_ADDRESS = /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u

/** A notification as plain text and simple HTML. Nothing that a visitor or an administrator wrote can make a header. */
export function composeMail(content: MailContent): ComposedMail {
  const lines = linesOf(content)
  const { replyTo = '', leadUrl, locale } = content
  const { language } = locale
  return {
    subject: composeSubject(content),
    text: `${lines.map(({ label, text }) => `${titleOf(label)}\n${text || '–'}`).join('\n\n')}\n\n${leadMail.openLead}:\n${leadUrl}\n`,
    html: [
      `<!doctype html><html lang="${escapeHtml(language)}" dir="${textDirection(language)}"><body>`,
      `<dl>${lines.map((line) => asHtml(line, locale.country)).join('')}</dl>`,
      `<p><a href="${escapeHtml(leadUrl)}">${leadMail.openLead}</a></p></body></html>`,
    ].join(''),
    replyTo: PLAIN_ADDRESS.test(replyTo) ? replyTo : undefined,
    language,
  }
}

interface Line {
  label: string
  text: string
  /** Of an answer. */
  type?: string | undefined
}

function linesOf({
  answers,
  formName,
  serviceName,
  places,
  pageUrl,
  submittedAt,
  locale,
}: MailContent): Line[] {
  // The place and the one above: whose country it is, everybody here knows.
  const place = places.slice(0, 2).join(', ')
  return [
    ...answers,
    { label: leadLabels.form, text: formName },
    ...(serviceName ? [{ label: leadLabels.service, text: serviceName }] : []),
    ...(place ? [{ label: leadLabels.place, text: place }] : []),
    ...(pageUrl ? [{ label: leadLabels.page, text: pageUrl }] : []),
    { label: leadLabels.received, text: formatLocalTime(submittedAt, locale) },
  ]
}

function titleOf(label: string): string {
  const title = oneLine(label)
  return /[\p{L}\p{N})]$/u.test(title) ? `${title}:` : title
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function asHtml({ label, text, type }: Line, country: string): string {
  const shown = escapeHtml(text || '–').replaceAll('\n', '<br>')
  const isPhone = findFieldType(type)?.contact === 'phone'
  const dialed = isPhone ? toDialable(text, country) : undefined
  const value = dialed === undefined ? shown : `<a href="tel:${dialed}">${shown}</a>`
  return `<dt><strong>${escapeHtml(oneLine(label))}</strong></dt><dd>${value}</dd>`
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
