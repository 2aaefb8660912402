import { antiSpamRules } from '../../forms/anti-spam.ts'
import { sentTexts } from '../../forms/check-answers.ts'
import { FIELD_TYPES } from '../../forms/field-types/field-types.ts'
import type { Answers, Form } from '../../forms/form.ts'
import type { SpamReason } from '../../messages/admin/spam.ts'
import type { FormControls } from './form-controls.ts'

const LINK = /https?:\/\/|\bwww\.|\[url\b|<a\s/gi

interface Post {
  body: Readonly<Record<string, unknown>>
  answers: Answers
  /** Time the form was open, according to the page; undefined without JavaScript. */
  controls: Pick<FormControls, 'openedAt' | 'openMs'>
  now: Date
}

/** Returns why a post counts as spam; undefined if it doesn't. */
export function spamReason(form: Form, { body, answers, controls, now }: Post): SpamReason | undefined {
  const { maxLinks, minSeconds } = antiSpamRules(form.settings)
  if (isDecoyFilled(form, body)) return { code: 'decoy_filled' }
  const seconds = secondsOpen(controls, now)
  if (seconds !== undefined && seconds < minSeconds) return { code: 'sent_early', params: { seconds } }
  const links = countLinks(form, answers)
  return links > maxLinks ? { code: 'many_links', params: { links } } : undefined
}

function secondsOpen({ openMs, openedAt }: Post['controls'], now: Date): number | undefined {
  if (openMs !== undefined) return openMs / 1_000
  // A time in the future means that the visitor's clock is wrong, so it is ignored.
  if (openedAt === undefined || openedAt > now.getTime()) return undefined
  return (now.getTime() - openedAt) / 1_000
}

function isDecoyFilled({ settings: { honeypot }, fields }: Form, body: Post['body']) {
  if (honeypot == null || fields.some(({ name }) => name === honeypot)) return false
  return sentTexts(body, honeypot).some((text) => text.trim() !== '')
}

// A link in a URL field is expected, so only free text counts.
function countLinks({ fields }: Form, answers: Answers): number {
  const texts = fields.filter(({ type }) => FIELD_TYPES[type].isFreeText).map(({ name }) => answers[name])
  return texts.reduce<number>((sum, text) => sum + linksIn(text), 0)
}

function linksIn(text: unknown): number {
  return typeof text === 'string' ? (text.match(LINK)?.length ?? 0) : 0
}
