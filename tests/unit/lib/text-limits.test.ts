import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFormerAddress } from '#src/entries/addresses/former-address.ts'
import { contentTypeDefinition, isTypeSlug } from '#src/entries/types/content-type-definition.ts'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { taxonomyDefinition } from '#src/taxonomies/taxonomy-definition.ts'

const SCHEMAS = {
  form: formDefinitionSchema,
  site: siteSettings,
  taxonomy: taxonomyDefinition,
  'content type': contentTypeDefinition('projects'),
}
const aForm = (values: object) => ({ name: 'Quote', fields: [], ...values })
const aField = (values: object) => ({ name: 'email', label: 'Email', ...values })
const withField = (values: object) => aForm({ fields: [aField(values)] })
const withRule = (type: string, validation: object) => withField({ type, validation })
const aTerm = (values: object) => ({ name: 'Places', terms: [{ slug: 'tx', name: 'Texas', ...values }] })
const aType = (values: object) => ({ name: 'Projects', ...values })
const x = (length: number) => 'x'.repeat(length)
const longPattern = (length: number) => `${`/${x(79)}`.repeat(7).slice(0, length - '/{slug}'.length)}/{slug}`

/** The largest number at a path that is accepted, and a document with such a number there. */
const LIMITS: [keyof typeof SCHEMAS, path: string, most: number, of: (size: number) => object][] = [
  ['form', 'name', 200, (size) => aForm({ name: x(size) })],
  ['form', 'description', 2_000, (size) => aForm({ description: x(size) })],
  [
    'form',
    'fields',
    200,
    (size) => aForm({ fields: Array.from({ length: size }, (_, at) => aField({ name: `a${at}` })) }),
  ],
  ['form', 'settings.success_heading', 10_000, (size) => aForm({ settings: { success_heading: x(size) } })],
  ['form', 'settings.success_body', 10_000, (size) => aForm({ settings: { success_body: x(size) } })],
  [
    'form',
    'settings.success_redirect',
    2_000,
    (size) => aForm({ settings: { success_redirect: `/${x(size - 1)}` } }),
  ],
  [
    'form',
    'settings.redirect_url',
    2_000,
    (size) => aForm({ settings: { redirect_url: `/${x(size - 1)}` } }),
  ],
  [
    'form',
    'settings.anti_spam.min_seconds',
    60,
    (size) => aForm({ settings: { anti_spam: { min_seconds: size } } }),
  ],
  ['form', 'fields.0.name', 63, (size) => withField({ name: x(size) })],
  ['form', 'fields.0.label', 500, (size) => withField({ label: x(size) })],
  ['form', 'fields.0.placeholder', 2_000, (size) => withField({ placeholder: x(size) })],
  ['form', 'fields.0.help_text', 2_000, (size) => withField({ help_text: x(size) })],
  ['form', 'fields.0.default_value', 10_000, (size) => withField({ default_value: x(size) })],
  ['form', 'fields.0.options.0', 500, (size) => withField({ type: 'select', options: [x(size)] })],
  [
    'form',
    'fields.0.options',
    1_000,
    (size) => withField({ type: 'select', options: Array.from({ length: size }, (_, at) => `${at}/${at}`) }),
  ],
  ['form', 'fields.0.validation.pattern', 256, (size) => withRule('text', { pattern: x(size) })],
  ['form', 'fields.0.validation.message', 500, (size) => withRule('text', { message: x(size) })],
  ['form', 'fields.0.validation.max_size', 26_214_400, (size) => withRule('file', { max_size: size })],
  ['site', 'quality_threshold', 100, (size) => ({ name: 'Ann', quality_threshold: size })],
  ['site', 'theme.radius', 32, (size) => ({ name: 'Ann', theme: { radius: size } })],
  ['taxonomy', 'name', 200, (size) => ({ name: x(size) })],
  ['taxonomy', 'description', 5_000, (size) => ({ name: 'Places', description: x(size) })],
  ['taxonomy', 'terms.0.slug', 80, (size) => aTerm({ slug: x(size) })],
  ['taxonomy', 'terms.0.name', 200, (size) => aTerm({ name: x(size) })],
  ['taxonomy', 'terms.0.description', 5_000, (size) => aTerm({ description: x(size) })],
  ['content type', 'name', 200, (size) => aType({ name: x(size) })],
  ['content type', 'description', 5_000, (size) => aType({ description: x(size) })],
  [
    'content type',
    'route_pattern',
    500,
    (size) => aType({ is_routable: true, route_pattern: longPattern(size) }),
  ],
  ['content type', 'detail_partial', 200, (size) => aType({ detail_partial: x(size) })],
  [
    'content type',
    'schema.fields.0.label',
    500,
    (size) => aType({ schema: { fields: [{ key: 'a', label: x(size), type: 'text' }] } }),
  ],
]

for (const [kind, path, most, of] of LIMITS) {
  test(`a ${kind} may have ${most} at ${path}, and one more is refused`, () => {
    assert.deepEqual(SCHEMAS[kind].safeParse(of(most)).error?.issues, undefined)
    const { error } = SCHEMAS[kind].safeParse(of(most + 1))
    assert.deepEqual([...new Set(error?.issues.map((issue) => issue.path.join('.')))], [path])
  })
}

/** The smallest number at a path that is accepted, where none below it is. */
const LEAST: [keyof typeof SCHEMAS, path: string, least: number, of: (size: number) => object][] = [
  ['form', 'name', 1, (size) => aForm({ name: x(size) })],
  ['form', 'settings.retention_days', 1, (size) => aForm({ settings: { retention_days: size } })],
  [
    'form',
    'settings.anti_spam.max_links',
    0,
    (size) => aForm({ settings: { anti_spam: { max_links: size } } }),
  ],
  [
    'form',
    'settings.anti_spam.min_seconds',
    0,
    (size) => aForm({ settings: { anti_spam: { min_seconds: size } } }),
  ],
  ['form', 'fields.0.label', 1, (size) => withField({ label: x(size) })],
  ['form', 'fields.0.validation.pattern', 1, (size) => withRule('text', { pattern: x(size) })],
  ['form', 'fields.0.validation.message', 1, (size) => withRule('text', { message: x(size) })],
  ['form', 'fields.0.validation.accept', 1, (size) => withRule('file', { accept: Array(size).fill('.pdf') })],
  ['form', 'fields.0.validation.min_length', 0, (size) => withRule('text', { min_length: size })],
  ['form', 'fields.0.validation.max_length', 1, (size) => withRule('text', { max_length: size })],
  ['form', 'fields.0.validation.max_size', 1, (size) => withRule('file', { max_size: size })],
  ['site', 'quality_threshold', 0, (size) => ({ name: 'Ann', quality_threshold: size })],
  ['site', 'theme.radius', 0, (size) => ({ name: 'Ann', theme: { radius: size } })],
]

for (const [kind, path, least, of] of LEAST) {
  test(`a ${kind} may have ${least} at ${path}, and one less is refused`, () => {
    assert.deepEqual(SCHEMAS[kind].safeParse(of(least)).error?.issues, undefined)
    const { error } = SCHEMAS[kind].safeParse(of(least - 1))
    assert.deepEqual([...new Set(error?.issues.map((issue) => issue.path.join('.')))], [path])
  })
}

test('a slug of a content type has at most 80 characters', () => {
  assert.deepEqual([isTypeSlug('x'.repeat(80)), isTypeSlug('x'.repeat(81))], [true, false])
})

test('an earlier address of a page has at most 500 characters', () => {
  assert.equal(checkFormerAddress(`/${x(499)}`), undefined)
  assert.equal(checkFormerAddress(`/${x(500)}`)?.code, 'former_address')
})
