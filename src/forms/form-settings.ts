import { z } from 'zod'
import { FIELD_NAME_PATTERN, FIELD_NAME_RULE } from './field-name.ts'
import { jsonColumn } from './json-column.ts'

const TARGET_RULE = 'expected an address that starts with https://, http:// or a single /'

const text = z.string().max(10_000).nullish()
const target = z
  .string()
  .regex(/^(https?:\/\/[^\s]+|\/(?![/\\])[^\s]*)$/, TARGET_RULE)
  .nullish()

const KEYS = {
  success_heading: text,
  success_body: text,
  success_redirect: target,
  redirect_url: target,
  notification_email: z.email('expected an email address').nullish(),
  retention_days: z.int('expected a whole number of days').min(1).nullish(),
  anti_spam: z.union([z.boolean(), z.string()]).nullish(),
  honeypot: z.string().regex(FIELD_NAME_PATTERN, FIELD_NAME_RULE).nullish(),
}

/** What a content file may say; unknown keys are mistakes (§2.1). */
export const settingsDefinition = z.strictObject(KEYS)

/** `settings_json`: keys of later versions are passed over. */
export const settingsColumn = jsonColumn(z.object(KEYS))

export type FormSettings = z.output<typeof settingsDefinition>
