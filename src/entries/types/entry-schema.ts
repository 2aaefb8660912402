import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { onceFor } from '../../lib/once-for.ts'
import { addProblem, rule } from '../../messages/files/rules/schema-rule.ts'
import { checkFormerAddress } from '../addresses/former-address.ts'
import { meaningOf, rulesOf } from './builtin/registry.ts'
import type { ContentType, SchemaField } from './content-type-store.ts'
import { fieldShape } from './field-values.ts'

/** Returns the fields that a type's files contain; others come from the path (§2.9 rule 3). */
export function fieldsInFiles(type: Pick<ContentType, 'slug' | 'fields'>): SchemaField[] {
  return type.fields.flatMap((field): SchemaField[] => {
    const how = meaningOf(type.slug, field.key)?.inFiles
    if (how === 'path') return []
    return how === 'slugs' ? [{ ...field, type: 'list' }] : [field]
  })
}

// Text that sorts by time: with milliseconds and Z.
const moment = z
  .preprocess(withSeconds, z.iso.datetime({ offset: true, ...rule('moment') }))
  .transform((text) => new Date(text).toISOString())
  // An offset can produce a year before 0 or after 9999, which doesn't sort by time.
  .refine((text) => /^\d{4}-/.test(text), rule('moment'))

const utcMoment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const formerAddress = z.string().superRefine((path, context) => {
  const problem = checkFormerAddress(path)
  if (problem) addProblem(context, { ...problem, path: [] })
})

// Reports only the first problem, because a form accepts any number of lines.
const typedAddresses = z.array(z.string()).superRefine((paths, context) => {
  for (const [index, path] of paths.entries()) {
    const problem = checkFormerAddress(path)
    if (problem) return addProblem(context, { ...problem, path: [index] })
  }
})

/**
 * Returns the schema of an entry's front matter (contract §3). One that inherits needs no keys. Cached per type,
 * because making it takes most of the time of reading a file.
 */
export const frontMatterSchema = onceFor((type: ContentType) => {
  const { inherits } = rulesOf(type.slug)
  const fields = fieldsInFiles(type).map((field) => (inherits ? { ...field, required: false } : field))
  const schema = z.strictObject({
    title: titleOf(type),
    status: z.enum(['draft', 'published']).default('published'),
    ...fieldShape(fields),
    terms: z.record(z.string(), z.array(z.string())).default({}),
    publish_at: moment.nullish(),
    unpublish_at: moment.nullish(),
    redirect_from: z.array(formerAddress).nullish(),
  })
  return schema.superRefine(checkSchedule)
})

/** Returns the same schema for an entry's row, with IDs instead of slugs, ignoring everything else in the row. */
export function rowSchema(type: ContentType) {
  const schema = z.object({
    title: titleOf(type),
    ...fieldShape(type.fields),
    publish_at: utcMoment.nullish(),
    unpublish_at: utcMoment.nullish(),
    redirect_from: typedAddresses.nullish(),
  })
  // Runs even if a field is invalid, so that the editor shows all problems at once.
  return schema.superRefine(checkSchedule, {
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
}

// zod requires the seconds before an offset.
function withSeconds(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00') : value
}

function titleOf(type: ContentType) {
  return rulesOf(type.slug).inherits ? z.string().default('') : filledText
}

function checkSchedule(
  { publish_at: from, unpublish_at: until }: { publish_at?: unknown; unpublish_at?: unknown },
  context: z.RefinementCtx,
) {
  if (!from || !until || String(until) > String(from)) return
  addProblem(context, { path: ['unpublish_at'], code: 'moment_after_publish' })
}
