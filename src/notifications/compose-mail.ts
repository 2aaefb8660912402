import { findFieldType } from '../forms/field-types/field-types.ts'
import { formatLocalTime } from '../lib/locale/local-time.ts'
import { textDirection } from '../lib/locale/locale.ts'
import { toDialable } from '../lib/locale/phone-number.ts'
import { leadLabels, leadMail } from '../messages/mail/leads.ts'
import { fillText } from '../templates/payload-template.ts'
import { composeSubject, subjectAbout, subjectLine } from './compose-subject.ts'
import type { MailContent } from './mail-content.ts'
import {
  buttonHtml,
  frameMail,
  headingHtml,
  linesHtml,
  linkHtml,
  paragraphsHtml,
  tableHtml,
} from './mail-html.ts'
import { plainAddress } from './plain-address.ts'

// Gmail hides everything after 102 KB, so in a longer email the link to the lead comes before the answers.
const SHOWN_BYTES = 95_000

export interface ComposedMail {
  subject: string
  text: string
  html: string
  replyTo: string | undefined
  /** BCP 47. */
  language: string
}

/**
 * Composes a notification as plain text and HTML. Nothing that a visitor or administrator wrote can become a header.
 */
export function composeMail(content: MailContent): ComposedMail {
  const { replyTo = '', leadUrl, locale, templates } = content
  const { language } = locale
  const subject = (templates.subject && subjectLine(fillText(templates.subject, content.subject))) || ''
  const { text, html } = templates.text ? filledBody(content, templates.text) : standardBody(content)
  const title = subject || composeSubject(content)
  const button = buttonHtml(leadUrl, leadMail.openLead)
  const isCut = Buffer.byteLength(html) > SHOWN_BYTES
  return {
    subject: title,
    text: `${text}\n\n${leadMail.openLead}:\n${leadUrl}\n`,
    html: frameMail({ title, language, body: isCut ? button + html : html + button }),
    replyTo: plainAddress(replyTo),
    language,
  }
}

function filledBody({ subject }: MailContent, template: string) {
  const text = fillText(template, subject).trim()
  return { text, html: paragraphsHtml(text) }
}

function standardBody(content: MailContent) {
  const lines = linesOf(content)
  const { language } = content.locale
  const rows = lines.map((line) => ({ label: oneLine(line.label), value: asHtml(line, content.locale) }))
  return {
    text: lines.map(({ label, text }) => `${titleOf(label)}\n${text || '–'}`).join('\n\n'),
    html: headingHtml(subjectAbout(content)) + tableHtml(rows, language),
  }
}

interface Line {
  label: string
  text: string
  /** The answer's field type. */
  type?: string | undefined
  href?: string
}

function linesOf({
  answers,
  formName,
  serviceName,
  places,
  cameFrom,
  pageUrl,
  submittedAt,
  locale,
}: MailContent): Line[] {
  // The place and its parent; readers know which country it is in.
  const place = places.slice(0, 2).join(', ')
  return [
    ...answers,
    { label: leadLabels.form, text: formName },
    ...(serviceName ? [{ label: leadLabels.service, text: serviceName }] : []),
    ...(place ? [{ label: leadLabels.place, text: place }] : []),
    ...(cameFrom ? [{ label: leadLabels.cameFrom, text: oneLine(cameFrom) }] : []),
    ...(pageUrl ? [{ label: leadLabels.page, text: pageUrl, href: pageUrl }] : []),
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

function asHtml({ text, type, href }: Line, { country, language }: MailContent['locale']): string {
  const contact = findFieldType(type)?.contact
  const shown = linesHtml(text || '–')
  // In right-to-left text, the groups of a number would otherwise be reordered.
  const isTurned = contact === 'phone' && textDirection(language) === 'rtl'
  const kept = isTurned ? `<span dir="ltr">${shown}</span>` : shown
  const address = href ?? hrefOf(text, contact, country)
  return address === undefined ? kept : linkHtml(address, kept)
}

function hrefOf(text: string, contact: 'phone' | 'email' | undefined, country: string): string | undefined {
  if (contact === 'phone') {
    const dialed = toDialable(text, country)
    return dialed && `tel:${dialed}`
  }
  const [name, host] = (contact === 'email' && plainAddress(text)?.split('@')) || []
  // A question mark would begin headers of the email, such as Bcc.
  return name && host ? `mailto:${encodeURIComponent(name)}@${encodeURIComponent(host)}` : undefined
}
