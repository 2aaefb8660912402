import { z } from 'zod'
import { filledTextUpTo } from '../../lib/filled-text.ts'
import { MAX_SLUG_LENGTH } from '../../lib/slug.ts'
import type { Fault } from '../../messages/files/rules/rule.ts'
import { addProblem } from '../../messages/files/rules/schema-rule.ts'
import { withoutSectionFields } from '../sections/fields-of-type.ts'
import { rulesOf } from './builtin/registry.ts'
import type { ContentTypeValues } from './content-type-store.ts'
import { checkRoutePattern, listPlaceholders } from './route-pattern.ts'
import { type SchemaField, schemaField } from './schema-field.ts'

const MAX_NAME_LENGTH = 200
const MAX_LABEL_LENGTH = 500
const MAX_PATTERN_LENGTH = 500
const TYPE_SLUG = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/
/** Folders of `content/` that don't contain entries, and a page of the admin. */
const TAKEN_TYPE_SLUGS = ['content_types', 'taxonomies', 'forms', 'pictures', 'new']

/** Returns whether a text is a valid slug for a content type. */
export function isTypeSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && TYPE_SLUG.test(text)
}

/** Returns whether a slug is reserved. */
export function isTakenTypeSlug(slug: string): boolean {
  return TAKEN_TYPE_SLUGS.includes(slug)
}

// Every object has a `constructor`, so an entry without a value would seem to have one.
const CONSTRUCTOR = 'constructor'
const RESERVED_KEYS = [
  ...['title', 'status', 'terms', 'body', 'publish_at', 'unpublish_at', 'redirect_from'],
  CONSTRUCTOR,
]
// Other inputs of the entry editor, which a field with the same key would change.
const EDITOR_INPUTS = ['slug', 'act', 'based_on', 'entry_id', 'named_terms']
/** Keys that make a type a location service; migration 0025 made columns for them. */
const KEYS_OF_PAIRS = ['service_entry_id', 'location_term_id']

const columns = z.strictObject({
  name: filledTextUpTo(MAX_NAME_LENGTH),
  description: filledTextUpTo(5_000).nullable().default(null),
  is_routable: z.boolean().default(false),
  route_pattern: z.string().max(MAX_PATTERN_LENGTH).nullable().default(null),
  detail_partial: filledTextUpTo(MAX_NAME_LENGTH).nullable().default(null),
  schema: z.strictObject({ fields: z.array(schemaField).default([]) }).prefault({}),
  sort_order: z.int32().default(100),
})

export type ContentTypeDefinition = z.output<typeof columns>

/**
 * `content_types/<slug>.yaml`: the columns of §2.9 without `_json`. `stored` has the fields of the type as it is: those of
 * earlier programs may have the keys of inputs in the entry editor.
 */
export function contentTypeDefinition(
  slug: string,
  stored: readonly Pick<SchemaField, 'key'>[] = [],
): z.ZodType<ContentTypeDefinition> {
  const known = stored.map(({ key }) => key)
  const taken = [
    ...RESERVED_KEYS,
    ...(rulesOf(slug).inherits ? [] : KEYS_OF_PAIRS),
    ...EDITOR_INPUTS.filter((key) => !known.includes(key)),
  ]
  return columns.superRefine(
    (definition, context) => {
      checkRoute(slug, definition, context)
      checkKeys(definition, { taken, context })
    },
    // Checked even if a key is invalid, so that one run reports every mistake.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
}

function checkRoute(
  slug: string,
  { is_routable, route_pattern }: Partial<ContentTypeDefinition>,
  context: z.RefinementCtx,
) {
  const problem = typeof route_pattern === 'string' ? routeProblem(slug, route_pattern) : undefined
  if (problem) addProblem(context, { ...problem, path: ['route_pattern'] })
  if (is_routable === true && !route_pattern)
    addProblem(context, { path: ['route_pattern'], code: 'route_missing' })
}

// Their slugs are `<service_slug>/<location_slug>` (§2.9 rule 3), so with another pattern their pages would have
// wrong addresses or none.
function routeProblem(slug: string, pattern: string): Fault | undefined {
  const problem = checkRoutePattern(pattern)
  const { inherits, route = '' } = rulesOf(slug)
  const placeholders = listPlaceholders(route)
  if (problem || !inherits || listPlaceholders(pattern).join() === placeholders.join()) return problem
  return { code: 'route_of_pairs', params: { placeholders } }
}

function checkKeys(
  { schema }: Partial<ContentTypeDefinition>,
  { taken, context }: { taken: readonly string[]; context: z.RefinementCtx },
) {
  const fields = Array.isArray(schema?.fields) ? schema.fields : []
  const keys = fields.map((field) => field?.key)
  for (const [index, key] of keys.entries()) {
    const path = ['schema', 'fields', index]
    checkParts(fields[index], path, context)
    checkLabel(fields[index], path, context)
    if (!key || (keys.indexOf(key) === index && !taken.includes(key))) continue
    addProblem(context, { path: [...path, 'key'], code: 'key_taken', params: { key, taken } })
  }
}

// If two parts share a key, an entry can have only the last.
function checkParts(field: SchemaField | undefined, path: PropertyKey[], context: z.RefinementCtx) {
  const parts = Array.isArray(field?.fields) ? field.fields : []
  const keys = parts.map((part) => part?.key)
  for (const [index, key] of keys.entries()) {
    checkParts(parts[index], [...path, 'fields', index], context)
    checkLabel(parts[index], [...path, 'fields', index], context)
    const at = [...path, 'fields', index, 'key']
    if (key === CONSTRUCTOR)
      addProblem(context, { path: at, code: 'key_taken', params: { key, taken: [CONSTRUCTOR] } })
    else if (key && keys.indexOf(key) !== index)
      addProblem(context, { path: at, code: 'part_key_taken', params: { key } })
  }
}

// Not part of a field's schema, which is also used for stored fields.
function checkLabel(field: SchemaField | undefined, path: PropertyKey[], context: z.RefinementCtx) {
  if (typeof field?.label !== 'string' || field.label.length <= MAX_LABEL_LENGTH) return
  addProblem(context, { path: [...path, 'label'], code: 'max_characters', params: { max: MAX_LABEL_LENGTH } })
}

export function toContentTypeDefinition(type: ContentTypeValues): ContentTypeDefinition {
  const { name, description, isRoutable: is_routable, routePattern: route_pattern, fields } = type
  const { detailPartial: detail_partial, sortOrder: sort_order } = type
  const schema = { fields: withoutSectionFields(fields) }
  return { name, description, is_routable, route_pattern, detail_partial, schema, sort_order }
}

export function toContentTypeValues(definition: ContentTypeDefinition): ContentTypeValues {
  const { name, description, is_routable: isRoutable, route_pattern: routePattern, schema } = definition
  const { detail_partial: detailPartial, sort_order: sortOrder } = definition
  return { name, description, isRoutable, routePattern, detailPartial, ...schema, sortOrder }
}
