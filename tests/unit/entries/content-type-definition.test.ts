import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contentTypeDefinition,
  isTakenTypeSlug,
  isTypeSlug,
  toContentTypeDefinition,
  toContentTypeValues,
} from '#src/entries/types/content-type-definition.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'

const aText = (key: string, more = {}) => ({ key, label: 'X', type: 'text', ...more })
const schemaOf = (...fields: unknown[]) => ({ name: 'N', schema: { fields } })
const PAIRS = '/services/{service_slug}/{location_slug}'
const RESERVED = [
  ...['title', 'status', 'terms', 'body', 'publish_at', 'unpublish_at', 'redirect_from'],
  'constructor',
]
const INPUTS = ['slug', 'act', 'based_on', 'entry_id', 'named_terms']
const ALL_RESERVED = [...RESERVED, 'service_entry_id', 'location_term_id', ...INPUTS]

for (const [what, slug, definition, problems] of [
  ['only a name', 'jobs', { name: 'Jobs' }, []],
  ['pages and an address', 'jobs', { name: 'J', is_routable: true, route_pattern: '/jobs/{slug}' }, []],
  [
    'pages without an address',
    'jobs',
    { name: 'J', is_routable: true },
    [['route_pattern', 'route_missing', undefined]],
  ],
  [
    'a wrong address',
    'jobs',
    { name: 'J', route_pattern: '/jobs' },
    [['route_pattern', 'route_placeholder_missing', undefined]],
  ],
  ['the address of local pages', 'location_services', { name: 'L', route_pattern: PAIRS }, []],
  [
    'another address with the same placeholders',
    'location_services',
    { name: 'L', route_pattern: '/in/{service_slug}/{location_slug}' },
    [],
  ],
  [
    'placeholders of local pages in another order',
    'location_services',
    { name: 'L', route_pattern: '/in/{location_slug}/{service_slug}' },
    [['route_pattern', 'route_of_pairs', { placeholders: ['{service_slug}', '{location_slug}'] }]],
  ],
  [
    'reserved and repeated keys',
    'jobs',
    schemaOf(aText('a'), aText('body'), aText('a'), aText('location_term_id')),
    [
      ['schema.fields.1.key', 'key_taken', { key: 'body', taken: ALL_RESERVED }],
      ['schema.fields.2.key', 'key_taken', { key: 'a', taken: ALL_RESERVED }],
      ['schema.fields.3.key', 'key_taken', { key: 'location_term_id', taken: ALL_RESERVED }],
    ],
  ],
  [
    'a key that every object has',
    'jobs',
    schemaOf(aText('constructor'), aText('d', { type: 'list', fields: [aText('constructor')] })),
    [
      ['schema.fields.0.key', 'key_taken', { key: 'constructor', taken: ALL_RESERVED }],
      ['schema.fields.1.fields.0.key', 'key_taken', { key: 'constructor', taken: ['constructor'] }],
    ],
  ],
  [
    'the keys of a local page',
    'location_services',
    schemaOf(aText('location_term_id'), aText('title')),
    [['schema.fields.1.key', 'key_taken', { key: 'title', taken: [...RESERVED, ...INPUTS] }]],
  ],
  [
    'repeated keys of parts, at any depth',
    'jobs',
    schemaOf(
      aText('a', { type: 'list', fields: [aText('b', { type: 'list', fields: [aText('c'), aText('c')] })] }),
      aText('d', { type: 'list', fields: [aText('b'), aText('title'), aText('b')] }),
    ),
    [
      ['schema.fields.0.fields.0.fields.1.key', 'part_key_taken', { key: 'c' }],
      ['schema.fields.1.fields.2.key', 'part_key_taken', { key: 'b' }],
    ],
  ],
  [
    'labels that are too long',
    'jobs',
    schemaOf(
      aText('a', { label: 'x'.repeat(501) }),
      aText('b', { label: 'x'.repeat(500) }),
      aText('c', { type: 'list', fields: [aText('d', { label: 'x'.repeat(501) })] }),
    ),
    [
      ['schema.fields.0.label', 'max_characters', { max: 500 }],
      ['schema.fields.2.fields.0.label', 'max_characters', { max: 500 }],
    ],
  ],
] as const)
  test(`a definition of ${slug} with ${what} is ${problems.length === 0 ? 'valid' : 'refused'}`, () => {
    const issues = contentTypeDefinition(slug).safeParse(definition).error?.issues ?? []
    assert.deepEqual(
      issues.map(problemOf).map(({ path, code, params }) => [path.join('.'), code, params]),
      problems,
    )
  })

test('a definition that is no object, or with a wrong value, has no further problems of its keys', () => {
  for (const definition of [null, 'x', [], schemaOf(3), { name: 'N', schema: 'x' }])
    assert.equal(contentTypeDefinition('jobs').safeParse(definition).success, false)
})

test('a definition and the stored values convert to each other', () => {
  const definition = contentTypeDefinition('jobs').parse({
    ...{ name: 'Jobs', description: 'D', is_routable: true, route_pattern: '/jobs/{slug}' },
    ...{ detail_partial: 'Job', schema: { fields: [aText('a')] }, sort_order: 7 },
  })
  const values = toContentTypeValues(definition)
  assert.deepEqual(values, {
    ...{ name: 'Jobs', description: 'D', isRoutable: true, routePattern: '/jobs/{slug}' },
    ...{ detailPartial: 'Job', fields: [aText('a')], sortOrder: 7 },
  })
  assert.deepEqual(toContentTypeDefinition(values), definition)
})

test('slugs of types are words; some are reserved', () => {
  for (const [slug, isValid] of [
    ['jobs', true],
    ['job-types_2', true],
    ['2jobs', false],
    ['Jobs', false],
    ['jobs-', false],
    ['j'.repeat(300), false],
  ] as const)
    assert.equal(isTypeSlug(slug), isValid, slug)
  assert.deepEqual([isTakenTypeSlug('pictures'), isTakenTypeSlug('jobs')], [true, false])
})
