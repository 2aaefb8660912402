import { findFieldType } from '../forms/field-types/field-types.ts'
import { leadMail } from '../messages/mail/leads.ts'
import type { MailContent } from './mail-content.ts'

const MAX_NAME = 60
const MAX_ANSWER = 50
/** In characters as people count them; with header encoding, it fits every mail program. */
const MAX_SUBJECT = 200

// Line breaks could start a header, and direction marks could reorder the text. Joiners are kept, because words and
// emoji need them.
const NOT_IN_SUBJECT = /[[\p{C}\p{Zl}\p{Zp}]--[\u200C\u200D]]+/gv

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Composes a subject from what a lead is about and who sent it: `Boiler service in Ennis: Aoife Ní Bhriain, 087 123
 * 4567`. If the service is unknown, the form's name takes its place. The subject starts with the site's own words,
 * so that visitors can't impersonate others.
 */
export function composeSubject(content: MailContent): string {
  const subject = subjectAbout(content)
  const sender = firstAnswers(content.answers).map((text) => clean(text, MAX_ANSWER))
  return cut(sender.length > 0 ? `${subject}: ${sender.join(', ')}` : subject, MAX_SUBJECT)
}

/** Returns the subject of a lead: `Boiler service in Ennis`. */
export function subjectAbout({ formName, serviceName, places }: MailContent): string {
  const about = clean(serviceName ?? formName, MAX_NAME)
  const place = clean(places[0] ?? '', MAX_NAME)
  return place ? leadMail.about(about, place) : about
}

/** Shortens a text to one line for a subject. */
export function subjectLine(text: string): string {
  return clean(text, MAX_SUBJECT)
}

// Returns the first short answers, with a phone number first.
function firstAnswers(answers: MailContent['answers']): string[] {
  const given = answers.filter(
    ({ type, text }) => findFieldType(type)?.isShort && clean(text, MAX_ANSWER) !== '',
  )
  const [first, ...others] = given
  if (!first) return []
  const second = others.find(({ type }) => findFieldType(type)?.contact === 'phone') ?? others[0]
  return second ? [first.text, second.text] : [first.text]
}

function clean(text: string, length: number): string {
  return cut(text.replace(NOT_IN_SUBJECT, ' ').replace(/\s+/g, ' ').trim(), length)
}

function cut(text: string, length: number): string {
  // An answer may have a hundred thousand characters; this many are enough.
  const parts = [...characters.segment(text.slice(0, length * 20))]
  if (parts.length <= length && text.length <= length * 20) return text
  return `${parts
    .slice(0, length - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}
