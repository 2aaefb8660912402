import { z } from 'zod'
import { formFile } from '../../src/content-files/parsing/parse-form.ts'
import { contentTypeDefinition } from '../../src/entries/types/content-type-definition.ts'
import { DEFAULT_FIELD_TYPE, FIELD_TYPE_NAMES, FIELD_TYPES } from '../../src/forms/field-types/field-types.ts'
import { siteSettings } from '../../src/site/settings/site-settings.ts'
import { taxonomyDefinition } from '../../src/taxonomies/taxonomy-definition.ts'
import { CONDITION_SCHEMA } from './condition-schema.ts'
import { branchesOf, type JsonSchema, resolve } from './json-schema.ts'
import { FORM_KEYS } from './texts/form-keys.ts'
import { CONTENT_TYPE_KEYS, SITE_KEYS, TAXONOMY_KEYS } from './texts/site-keys.ts'

/** Bounds of JavaScript numbers and of 32 bits, which nobody reaches. */
const UNBOUNDED = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, -(2 ** 31), Number.MIN_SAFE_INTEGER]

type Meanings = Readonly<Record<string, string>>

/** Makes the JSON Schema of each kind of YAML file in a content folder, by its name in `docs/schemas/`. */
export function contentSchemas(): Map<string, JsonSchema> {
  return new Map([
    ['site', toJsonSchema(siteSettings, SITE_KEYS)],
    ['taxonomy', toJsonSchema(taxonomyDefinition, TAXONOMY_KEYS)],
    ['content-type', toJsonSchema(contentTypeDefinition('projects'), CONTENT_TYPE_KEYS)],
    ['form', withFormRules(toJsonSchema(formFile, FORM_KEYS))],
  ])
}

/**
 * Converts a zod schema to JSON Schema with a description for every key. Throws if a key has no description, or a
 * description no key.
 */
export function toJsonSchema(schema: z.ZodType, meanings: Meanings): JsonSchema {
  const root = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropBounds(jsonSchema as JsonSchema),
  }) as JsonSchema
  const described = new Set<string>()
  describe(root, '', { root, meanings, described })
  const unused = Object.keys(meanings).filter((path) => !described.has(path))
  if (unused.length > 0) throw new Error(`There is no key ${unused.join(', ')}`)
  return root
}

function dropBounds(schema: JsonSchema) {
  if (UNBOUNDED.includes(schema.maximum ?? 0)) delete schema.maximum
  if (UNBOUNDED.includes(schema.minimum ?? 0)) delete schema.minimum
}

interface Describing {
  root: JsonSchema
  meanings: Meanings
  described: Set<string>
}

function describe(schema: JsonSchema, prefix: string, context: Describing): void {
  for (const branch of branchesOf(schema, context.root)) {
    if (branch.items) describe(branch.items, `${prefix}[]`, context)
    for (const [key, value] of Object.entries(branch.properties ?? {})) {
      const path = prefix === '' ? key : `${prefix}/${key}`
      value.description = meaningOf(path, context)
      // The keys of a nested term are those of every term.
      if (!isRecursive(value, branch, context.root)) describe(value, path, context)
    }
  }
}

// Dark colors have the same meanings as colors.
function meaningOf(path: string, { meanings, described }: Describing): string {
  const meaning = meanings[path.replace(/^theme\/dark_colors\//, 'theme/colors/')]
  if (meaning === undefined) throw new Error(`The key ${path} has no meaning in scripts/docs/texts`)
  described.add(path)
  return meaning
}

function isRecursive(value: JsonSchema, parent: JsonSchema, root: JsonSchema): boolean {
  return value.items !== undefined && resolve(value.items, root) === parent
}

// Conditions, and the keys of each field type, are checked by code.
function withFormRules(schema: JsonSchema): JsonSchema {
  const { fields, webhooks } = schema.properties ?? {}
  const field = fields?.items
  const [list] = webhooks ? branchesOf(webhooks, schema).filter(({ items }) => items) : []
  const webhook = list?.items?.properties
  const mail = firstList(firstBranch(schema.properties?.settings, schema)?.properties?.notifications, schema)
  if (!field || !webhook?.fire_on || !mail?.when) throw new Error('The schema of forms has changed')
  webhook.fire_on = conditionOf(webhook.fire_on)
  mail.when = conditionOf(mail.when)
  field.allOf = FIELD_TYPE_NAMES.map(rulesOfType)
  return { ...schema, definitions: { ...schema.definitions, condition: CONDITION_SCHEMA } }
}

function conditionOf({ description }: JsonSchema): JsonSchema {
  return {
    anyOf: [{ $ref: '#/definitions/condition' }, { type: 'null' }],
    ...(description && { description }),
  }
}

function firstBranch(value: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  return value && branchesOf(value, root).find(({ properties }) => properties)
}

function firstList(value: JsonSchema | undefined, root: JsonSchema) {
  return value && branchesOf(value, root).find(({ items }) => items)?.items?.properties
}

function rulesOfType(type: (typeof FIELD_TYPE_NAMES)[number]): JsonSchema {
  const { options, validationKeys } = FIELD_TYPES[type]
  const validation: JsonSchema = { propertyNames: { enum: [...validationKeys, 'message'] } }
  const properties = options === 'none' ? { validation, options: { maxItems: 0 } } : { validation }
  const required = options === 'required' ? { required: ['options'] } : {}
  const isNamed = type === DEFAULT_FIELD_TYPE ? {} : { required: ['type'] }
  return {
    if: { properties: { type: { const: type } }, ...isNamed },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties, ...required },
  }
}
