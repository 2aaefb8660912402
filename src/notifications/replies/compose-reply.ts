import type { Json } from '../../lib/canonical-json.ts'
import { TOUCH_META_KEYS } from '../../templates/meta.ts'
import { fillText, type TemplateSubject } from '../../templates/payload-template.ts'
import { asText } from '../../templates/template-filters.ts'
import type { ComposedMail } from '../compose-mail.ts'
import { subjectLine } from '../compose-subject.ts'
import { contactDetails, frameMail } from '../mail-frame.ts'
import { paragraphsHtml } from '../mail-html.ts'
import type { MailLook } from '../mail-look.ts'
import { wrapText } from '../mail-text.ts'

/** Characters of an answer that a reply repeats. */
const MAX_ANSWER = 100

/** The texts of a reply, and the site's look. */
export interface ReplyContent {
  subject: string
  text: string
  replyTo: string | undefined
  look: MailLook
  /** BCP 47. */
  language: string
  filledFrom: TemplateSubject
}

/**
 * Composes the reply to a visitor as plain text and HTML. The address may belong to someone else, so each answer,
 * and what the visitor's browser reports about its source, is cut to one short line without links.
 */
export function composeReply(content: ReplyContent): ComposedMail {
  const { look, language, filledFrom } = content
  const harmless = {
    ...filledFrom,
    answers: harmlessAnswers(filledFrom),
    meta: harmlessMeta(filledFrom),
  }
  const subject = subjectLine(fillText(content.subject, harmless)) || look.siteName
  const text = fillText(content.text, harmless).trim()
  const details = contactDetails(look)
  return {
    subject,
    text: `${wrapText(text)}\n\n${details.text}\n`,
    html: frameMail({ title: subject, language, look, body: paragraphsHtml(text), footer: details.html }),
    replyTo: content.replyTo,
    language,
  }
}

// A selected option stays unchanged, because its label is the owner's.
function harmlessAnswers({ answers, choices }: TemplateSubject): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      choices.has(name) || typeof answer === 'boolean' || answer === null ? answer : harmless(asText(answer)),
    ]),
  )
}

// Anyone can add tags to a page's URL, and post any path as that of the page; nothing verifies them.
function harmlessMeta({ meta }: TemplateSubject): TemplateSubject['meta'] {
  const told: ReadonlySet<string> = new Set(TOUCH_META_KEYS)
  const isOfPage = typeof meta.page_path === 'string' && PLAIN_PATH.test(meta.page_path)
  const page = isOfPage ? {} : { page_path: null, page_url: null }
  const harmlessOnes = Object.entries(meta).map(([name, value]) => [
    name,
    typeof value === 'string' && told.has(name) ? harmless(value) : value,
  ])
  return { ...Object.fromEntries(harmlessOnes), ...page }
}

const PLAIN_PATH = /^(?:\/[a-z0-9-]+)*\/?$/i
// Mail programs turn addresses with a scheme, or words joined by a dot, into links.
const SCHEME = /\b[a-z][a-z0-9+.-]*:\/*|:\/\//gi
const JOINED = /(?<=\S)[.．。｡@＠](?=\S)/gu

function harmless(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  const words = line.replace(SCHEME, '').replace(JOINED, ' ')
  const characters = [...words]
  return characters.length <= MAX_ANSWER ? words : `${characters.slice(0, MAX_ANSWER - 1).join('')}…`
}
