import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeDefinition, isTypeSlug } from '../../../src/entries/content-type-definition.ts'
import { formDefinitionSchema } from '../../../src/forms/form-definition.ts'
import { taxonomyDefinition } from '../../../src/taxonomies/taxonomy-definition.ts'

const LONG = 'x'.repeat(20_000)
const SCHEMAS = {
  form: formDefinitionSchema,
  taxonomy: taxonomyDefinition,
  'content type': contentTypeDefinition('projects'),
}
const aField = (values: object) => ({ name: 'Quote', fields: [{ name: 'email', label: 'Email', ...values }] })

for (const [kind, long, path] of [
  ['form', { name: LONG, fields: [] }, 'name'],
  ['form', { name: 'Quote', fields: [], description: LONG }, 'description'],
  ['form', { name: 'Quote', fields: [], settings: { redirect_url: `/${LONG}` } }, 'settings.redirect_url'],
  ['form', aField({ label: LONG }), 'fields.0.label'],
  ['form', aField({ default_value: LONG }), 'fields.0.default_value'],
  ['form', aField({ type: 'select', options: [LONG] }), 'fields.0.options.0'],
  ['form', aField({ type: 'select', options: Array(1_001).fill('a') }), 'fields.0.options'],
  ['taxonomy', { name: LONG }, 'name'],
  ['taxonomy', { name: 'Places', description: LONG }, 'description'],
  ['taxonomy', { name: 'Places', terms: [{ slug: 'tx', name: LONG }] }, 'terms.0.name'],
  [
    'taxonomy',
    { name: 'Places', terms: [{ slug: 'tx', name: 'Texas', description: LONG }] },
    'terms.0.description',
  ],
  ['content type', { name: LONG }, 'name'],
  ['content type', { name: 'Projects', description: LONG }, 'description'],
  [
    'content type',
    { name: 'Projects', is_routable: true, route_pattern: `/${LONG}/{slug}` },
    'route_pattern',
  ],
  ['content type', { name: 'Projects', detail_partial: LONG }, 'detail_partial'],
  [
    'content type',
    { name: 'Projects', schema: { fields: [{ key: 'a', label: LONG, type: 'text' }] } },
    'schema.fields.0.label',
  ],
] as const) {
  test(`a ${kind} with 20,000 characters, or too many entries, at ${path} is refused there`, () => {
    const { error } = SCHEMAS[kind].safeParse(long)
    assert.deepEqual([...new Set(error?.issues.map((issue) => issue.path.join('.')))], [path])
  })
}

test('a slug of a content type has at most 80 characters', () => {
  assert.deepEqual([isTypeSlug('x'.repeat(80)), isTypeSlug('x'.repeat(81))], [true, false])
})
