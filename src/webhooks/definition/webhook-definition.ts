import { z } from 'zod'
import { conditionSchema, isDeeperThan, listConditionFields } from '../../conditions/conditions.ts'
import type { Json } from '../../lib/canonical-json.ts'
import { listNames } from '../../lib/environment-values.ts'
import { addProblem, rule } from '../../messages/files/rules/schema-rule.ts'
import {
  checkTemplate,
  isKnown,
  type ReferableField,
  type TemplateProblem,
  unknownReference,
} from '../../templates/check-template.ts'
import { listReferences } from '../../templates/payload-template.ts'
import { DOTS } from '../secrets/redact-headers.ts'
import { isUsableSecret } from '../sending/signatures.ts'
import { givenHeaders } from './header-rules.ts'
import { WEBHOOK_METHODS } from './webhook.ts'

const MAX_RETRIES = 50
const MAX_NAME_LENGTH = 200
const MAX_SECRET_LENGTH = 500
const MAX_URL_LENGTH = 4_000
/** Longest JSON of a template, and of conditions, in characters. */
const MAX_JSON_LENGTH = 100_000
/** Most levels of a template, which is read and rendered recursively; a few thousand would overflow the stack. */
export const MAX_TEMPLATE_DEPTH = 50
const DEFAULT_RETRIES = 6
const TOO_LONG = rule('max_json', { max: MAX_JSON_LENGTH })

const url = z
  .string()
  .max(MAX_URL_LENGTH, { abort: true })
  .refine(isAddress, { ...rule('webhook_address'), abort: true })
  .refine(hasNoCredentials, rule('credentials_in_address'))

const retries = z
  .custom<number>(
    (value) => z.int().min(0).max(MAX_RETRIES).safeParse(value).success,
    rule('whole_number_between', { min: 0, max: MAX_RETRIES }),
  )
  .meta({ type: 'integer', minimum: 0, maximum: MAX_RETRIES })

const secret = z
  .string()
  .max(MAX_SECRET_LENGTH)
  .refine(isUsableSecret, rule('signing_secret'))
  // Dots keep a stored header, so someone may enter them here as well.
  .refine((text) => text !== DOTS, rule('new_secret'))

const template = z
  .unknown()
  .refine((value) => !isDeeperThan(value, MAX_TEMPLATE_DEPTH), {
    ...rule('template_too_deep', { max: MAX_TEMPLATE_DEPTH }),
    abort: true,
  })
  .pipe(z.json().refine(isShort, TOO_LONG)) as unknown as z.ZodType<Json, Json>

/** One element of `webhooks` in a form file (contract §3); the columns of §2.3 without the `_json` suffix. */
export const webhookDefinition = z
  .strictObject({
    name: z.string().trim().min(1).max(MAX_NAME_LENGTH).default('Webhook'),
    url,
    method: z.enum(WEBHOOK_METHODS).default('POST'),
    headers: givenHeaders
      .nullable()
      .default(null)
      // Exported files leave out an empty list.
      .transform((headers) => (headers && Object.keys(headers).length > 0 ? headers : null)),
    payload_template: template.nullable().default(null),
    fire_on: conditionSchema.refine(isShort, TOO_LONG).nullable().default(null),
    /** Left out: the stored one stays. Null: there is none. */
    signing_secret: secret.nullable().optional(),
    max_retries: retries.default(DEFAULT_RETRIES),
    enabled: z.boolean().default(true),
    // Omitted when false: files synced earlier have no such key and must not count as changed.
    accept_redirect: z
      .boolean()
      .transform((accepts) => accepts || undefined)
      .optional(),
    /** True if the webhook fires only when no other webhook of the form does. */
    fallback: z
      .boolean()
      .transform((isFallback) => isFallback || undefined)
      .optional(),
  })
  .superRefine(({ fallback, fire_on: condition }, context) => {
    if (fallback && condition) addProblem(context, { path: ['fire_on'], code: 'fallback_with_conditions' })
  })

export type WebhookDefinition = z.output<typeof webhookDefinition>

type References = Pick<WebhookDefinition, 'payload_template' | 'fire_on'>

/** A problem with a part of a webhook, beyond its schema. */
export type ReferenceProblem = TemplateProblem & { part: keyof References }

/** Lists the names in the template and the conditions that a form with these fields does not have. */
export function checkWebhookReferences(
  { payload_template: template, fire_on: condition }: References,
  fields: readonly ReferableField[],
): ReferenceProblem[] {
  const ofTemplate = template === null ? [] : checkTemplate(template, fields)
  const unknown = listUnknownReferences({ payload_template: null, fire_on: condition }, fields).fire_on
  return [
    ...ofTemplate.map((problem) => ({ part: 'payload_template' as const, ...problem })),
    ...unknown.map((name) => ({ part: 'fire_on' as const, ...unknownReference(name, fields) })),
  ]
}

/** The names that the template and the conditions refer to and that a form with these fields does not have. */
export function listUnknownReferences(
  { payload_template: template, fire_on: condition }: References,
  fields: readonly ReferableField[],
): { payload_template: string[]; fire_on: string[] } {
  const isUnknown = (name: string) => !isKnown(name, fields)
  return {
    payload_template: template === null ? [] : listReferences(template).filter(isUnknown),
    fire_on: condition === null ? [] : listConditionFields(condition).filter(isUnknown),
  }
}

// Environment values are unknown here: a word may stand for one, for a port, or for the start of the address.
function parseAddress(text: string): URL | null {
  const whole = text.replace(/^\$\{\w+\}/, 'https://x')
  const [asWord, asPort] = ['x', '1'].map((value) =>
    URL.parse(listNames(whole).reduce((filled, name) => filled.replaceAll(`\${${name}}`, value), whole)),
  )
  return asWord ?? asPort ?? null
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length <= MAX_JSON_LENGTH
}

function isAddress(text: string): boolean {
  return /^(https?:\/\/|\$\{)/i.test(text) && parseAddress(text) !== null
}

function hasNoCredentials(text: string): boolean {
  const parsed = parseAddress(text)
  return parsed?.username === '' && parsed.password === ''
}
