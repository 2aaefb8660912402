import { findFieldType } from '../forms/field-types/field-types.ts'
import { formatLocalTime } from '../lib/locale/local-time.ts'
import { textDirection } from '../lib/locale/locale.ts'
import { toDialable } from '../lib/locale/phone-number.ts'
import { leadLabels, leadMail } from '../messages/mail/leads.ts'
import { fillText } from '../templates/payload-template.ts'
import { composeSubject, subjectAbout, subjectLine } from './compose-subject.ts'
import type { MailContent } from './mail-content.ts'
import { frameMail } from './mail-frame.ts'
import { buttonHtml, headingHtml, linesHtml, linkHtml, paragraphsHtml, tableHtml } from './mail-html.ts'
import type { MailColors } from './mail-look.ts'
import { labelledText, wrapText } from './mail-text.ts'
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
  const { replyTo = '', leadUrl, locale, look, templates } = content
  const { language } = locale
  const subject = (templates.subject && subjectLine(fillText(templates.subject, content.subject))) || ''
  const { text, html } = templates.text ? filledBody(content, templates.text) : standardBody(content)
  const title = subject || composeSubject(content)
  const button = buttonHtml(leadUrl, leadMail.openLead, look.light)
  const isCut = Buffer.byteLength(html) > SHOWN_BYTES
  return {
    subject: title,
    text: `${text}\n\n${leadMail.openLead}:\n${leadUrl}\n`,
    html: frameMail({ title, language, look, body: isCut ? button + html : html + button }),
    replyTo: plainAddress(replyTo),
    language,
  }
}

function filledBody({ subject }: MailContent, template: string) {
  const text = fillText(template, subject).trim()
  return { text: wrapText(text), html: paragraphsHtml(text) }
}

function standardBody(content: MailContent) {
  const { locale, look } = content
  const [given, known] = [answersOf(content), detailsOf(content)]
  const rows = [...given, ...known].map((line) => ({
    label: oneLine(line.label),
    value: asHtml(line, locale, look.light),
  }))
  return {
    text: [given, known].flatMap((lines) => labelledText(lines.map(titled)) || []).join('\n\n'),
    html: headingHtml(subjectAbout(content)) + tableHtml(rows, locale.language, look.light),
  }
}

interface Line {
  label: string
  text: string
  /** The answer's field type. */
  type?: string | undefined
  href?: string
}

// Optional fields are often empty; their rows would push the others off a phone's screen.
function answersOf({ answers }: MailContent): Line[] {
  return answers.filter(({ text }) => text.trim() !== '')
}

function detailsOf(content: MailContent): Line[] {
  const { formName, serviceName, places, cameFrom, firstVisit, pagesSeen = [], pageUrl } = content
  const { submittedAt, locale } = content
  // The place and its parent; readers know which country it is in.
  const place = places.slice(0, 2).join(', ')
  return [
    { label: leadLabels.form, text: formName },
    ...(serviceName ? [{ label: leadLabels.service, text: serviceName }] : []),
    ...(place ? [{ label: leadLabels.place, text: place }] : []),
    ...(cameFrom ? [{ label: leadLabels.cameFrom, text: oneLine(cameFrom) }] : []),
    ...(firstVisit ? [{ label: leadLabels.firstVisit, text: oneLine(firstVisit) }] : []),
    ...(pagesSeen.length > 0 ? [{ label: leadLabels.pagesSeen, text: oneLine(pagesSeen.join(', ')) }] : []),
    ...(pageUrl ? [{ label: leadLabels.page, text: pageUrl, href: pageUrl }] : []),
    { label: leadLabels.received, text: formatLocalTime(submittedAt, locale) },
  ]
}

function titled({ label, text }: Line) {
  const title = oneLine(label)
  return { title: /[\p{L}\p{N})]$/u.test(title) ? `${title}:` : title, text: text.trim() }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function asHtml(
  { text, type, href }: Line,
  { country, language }: MailContent['locale'],
  colors: MailColors,
): string {
  const contact = findFieldType(type)?.contact
  const shown = linesHtml(text)
  // In right-to-left text, the groups of a number would otherwise be reordered.
  const isTurned = contact === 'phone' && textDirection(language) === 'rtl'
  const kept = isTurned ? `<span dir="ltr">${shown}</span>` : shown
  const address = href ?? hrefOf(text, contact, country)
  return address === undefined ? kept : linkHtml(address, kept, colors)
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
