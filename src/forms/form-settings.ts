import { z } from 'zod'
import { jsonColumn } from '../lib/json-column.ts'
import { rule } from '../messages/files/rules/schema-rule.ts'
import { antiSpamDefinition } from './anti-spam.ts'
import { FIELD_NAME_PATTERN } from './fields/field-name.ts'
import {
  mailEntriesDefinition,
  mailEntriesInColumn,
  replyDefinition,
  replyInColumn,
} from './mails/mail-settings.ts'

const text = z.string().max(10_000).nullish()
const target = z
  .string()
  .regex(/^(https?:\/\/[^\s]+|\/(?![/\\])[^\s]*)$/, rule('redirect_target'))
  .nullish()

const KEYS = {
  submit_label: text,
  success_heading: text,
  success_body: text,
  success_redirect: target,
  redirect_url: target,
  notification_email: z.email(rule('email_address')).nullish(),
  retention_days: z.int(rule('number_of_days')).min(1).nullish(),
  anti_spam: z.union([z.boolean(), antiSpamDefinition], rule('anti_spam')).nullish(),
  honeypot: z.string().regex(FIELD_NAME_PATTERN, rule('field_name')).nullish(),
}

// The column may hold a text, which earlier versions accepted for anti_spam and which means the same as true.
const textAsTrue = z.codec(z.string(), z.literal(true), { decode: () => true as const, encode: () => 'true' })
const antiSpamInColumn = z.union([z.boolean(), z.object(antiSpamDefinition.shape), textAsTrue]).nullish()

// A stored value is accepted even if it breaks this rule.
const textOrNull = text.transform(blankToNull).optional()
const MAX_TARGET = 2_000
const MAX_BUTTON = 60
const shortLabel = z.string().max(MAX_BUTTON).nullish().transform(blankToNull).optional()
const isShort = (value: string | null | undefined) => (value ?? '').length <= MAX_TARGET
const reachableTarget = target
  .refine(isShort, rule('max_characters', { max: MAX_TARGET }))
  .refine((value) => value == null || isAddress(value), rule('redirect_target'))

/** Settings allowed in a content file; unknown keys are errors (§2.1). Whitespace alone counts as empty. */
export const settingsDefinition = z.strictObject({
  ...KEYS,
  submit_label: shortLabel,
  success_heading: textOrNull,
  success_body: textOrNull,
  success_redirect: reachableTarget,
  redirect_url: reachableTarget,
  notifications: mailEntriesDefinition,
  reply: replyDefinition.nullish(),
})

/** `settings_json`: ignores keys of later versions. */
export const settingsColumn = jsonColumn(
  z.object({
    ...KEYS,
    anti_spam: antiSpamInColumn,
    notifications: mailEntriesInColumn,
    reply: replyInColumn,
  }),
)

export type FormSettings = z.output<typeof settingsDefinition>

function blankToNull(value: string | null | undefined) {
  return value?.trim() === '' ? null : value
}

// `https://[` starts like a URL but isn't one.
function isAddress(text: string): boolean {
  return URL.canParse(text, 'http://localhost')
}
