import { z } from 'zod'
import { type Condition, conditionSchema } from '../../conditions/conditions.ts'
import { addProblem, rule } from '../../messages/files/rules/schema-rule.ts'

const MAX_ENTRIES = 50
const MAX_RECIPIENTS = 20
const MAX_SUBJECT = 500
const MAX_TEXT = 10_000
/** Longest JSON of a condition, in characters. */
const MAX_JSON_LENGTH = 100_000

const email = z.email(rule('email_address'))
const oneLine = z
  .string()
  .max(MAX_SUBJECT)
  .refine((text) => !/[\r\n]/.test(text), rule('one_line'))
const subject = oneLine.nullish().transform(orNull).optional()
const text = z.string().max(MAX_TEXT).nullish().transform(orNull).optional()
const when = conditionSchema.refine(
  (condition) => (JSON.stringify(condition) ?? '').length <= MAX_JSON_LENGTH,
  rule('max_json', { max: MAX_JSON_LENGTH }),
)

/** An element of `settings.notifications` in a form file (contract §8): recipients, condition, and text. */
const mailEntryDefinition = z
  .strictObject({
    to: z
      .array(email)
      .min(1, rule('first_address'))
      .refine(({ length }) => length <= MAX_RECIPIENTS, rule('max_addresses', { max: MAX_RECIPIENTS })),
    /** Without a condition, the entry is for every lead. */
    when: when.nullish(),
    subject,
    text,
    // Left out while it is off, as for webhooks.
    fallback: z
      .boolean()
      .transform((isFallback) => isFallback || undefined)
      .optional(),
  })
  .superRefine(({ fallback, when: condition }, context) => {
    if (fallback && condition) addProblem(context, { path: ['when'], code: 'fallback_with_conditions' })
  })

/** `settings.notifications`. */
export const mailEntriesDefinition = z
  .array(mailEntryDefinition)
  .refine(({ length }) => length <= MAX_ENTRIES, rule('max_entries', { max: MAX_ENTRIES }))
  .nullish()

/** `settings.reply`: the email sent to the visitor; none if missing. */
export const replyDefinition = z.strictObject({
  subject: oneLine.refine(isFilled, rule('filled_text')),
  text: z.string().max(MAX_TEXT).refine(isFilled, rule('filled_text')),
  reply_to: email.nullish(),
})

/** The value in `settings_json`. Unreadable parts are reported when they are used. */
export const mailEntriesInColumn = z
  .array(
    z.object({
      to: z.array(z.string()),
      when: z.custom<Condition>().nullish(),
      subject: z.string().nullish(),
      text: z.string().nullish(),
      fallback: z.literal(true).optional(),
    }),
  )
  .nullish()

export const replyInColumn = z
  .object({ subject: z.string(), text: z.string(), reply_to: z.string().nullish() })
  .nullish()

function isFilled(value: string): boolean {
  return value.trim() !== ''
}

function orNull(value: string | null | undefined): string | null | undefined {
  return value?.trim() === '' ? null : value
}
