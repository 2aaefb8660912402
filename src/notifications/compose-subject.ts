import { findFieldType } from '../forms/field-types/field-types.ts'
import { leadMail } from '../messages/mail/leads.ts'
import type { MailContent } from './mail-content.ts'

const MAX_NAME = 60
const MAX_ANSWER = 50
/** In characters as a person counts them; with the headers' encoding it fits every mail program. */
const MAX_SUBJECT = 200

// Line breaks could begin a header, marks of direction could turn its parts around. Joiners belong to words and emoji.
const NOT_IN_SUBJECT = /[[\p{C}\p{Zl}\p{Zp}]--[\u200C\u200D]]+/gv

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Says what a lead is about and who sent it: `Boiler service in Ennis: Aoife Ní Bhriain, 087 123 4567`. The form's name
 * stands for a service that is not known. It begins with the site's own words, so visitors cannot pass for someone else.
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

/** A text as a subject can have it: one line of bounded length. */
export function subjectLine(text: string): string {
  return clean(text, MAX_SUBJECT)
}

// The first short answer, and a phone number before any other.
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
  // An answer may have a hundred thousand characters: more than these never count.
  const parts = [...characters.segment(text.slice(0, length * 20))]
  if (parts.length <= length && text.length <= length * 20) return text
  return `${parts
    .slice(0, length - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}
