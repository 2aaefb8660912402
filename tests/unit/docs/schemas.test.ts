import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { schemaFaults as faultsOf, type ContentKind as Kind } from '../../support/content-schemas.ts'
import { readProject as read } from '../../support/documentation.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

const FILES: Record<Kind, string> = {
  site: '{content,tests/fixtures/businesses/*}/site.yaml',
  taxonomy: '{content,tests/fixtures/businesses/*}/taxonomies/*.yaml',
  form: '{content,tests/fixtures/businesses/*}/forms/*.yaml',
  'content-type': '{content,tests/fixtures/businesses/*}/content_types/*.yaml',
}

test('every content file of the example and the test businesses is valid by its schema', () => {
  const checked = (Object.keys(FILES) as Kind[]).flatMap((kind) =>
    globSync(FILES[kind], { cwd: PROJECT_DIR }).map((path) => ({ path, faults: faultsOf(kind, read(path)) })),
  )
  assert.ok(checked.length >= 11, `${checked.length} files`)
  assert.deepEqual(
    checked.filter(({ faults }) => faults.length > 0),
    [],
  )
})

test('each YAML file of the example references its schema', () => {
  const paths = globSync(Object.values(FILES), { cwd: PROJECT_DIR }).filter((path) =>
    path.startsWith('content/'),
  )
  assert.ok(paths.length >= 5)
  for (const path of paths) {
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(read(path)) ?? []
    assert.ok(existsSync(join(PROJECT_DIR, dirname(path), schema)) && schema !== '', path)
  }
})

const FIELD = '{ name: email, type: email, label: Email }'
const WRONG: [what: string, kind: Kind, text: string, at: RegExp][] = [
  ['a site without a name', 'site', 'tagline: We fix it', /^ must have required property 'name'/],
  ['an unknown key', 'site', 'name: A\ncolour: red', /^ must NOT have additional properties/],
  ['an unknown look', 'site', 'name: A\ntheme: { preset: neon }', /^\/theme\/preset must be equal/],
  ['a threshold above 100', 'site', 'name: A\nquality_threshold: 200', /^\/quality_threshold must be <= 100/],
  ['a number for a text', 'site', 'name: 7', /^\/name must be string/],
  [
    'a slug with blanks far below',
    'taxonomy',
    'name: A\nterms: [{ slug: a, name: A, terms: [{ slug: b c, name: B }] }]',
    /^\/terms\/0\/terms\/0\/slug must match pattern/,
  ],
  [
    'a field of an unknown type',
    'content-type',
    'name: A\nschema: { fields: [{ key: a, label: A, type: photo }] }',
    /^\/schema\/fields\/0\/type must be equal/,
  ],
  ['a form without fields', 'form', 'name: A', /^ must have required property 'fields'/],
  [
    'a select without options',
    'form',
    'name: A\nfields: [{ name: a, label: A, type: select }]',
    /^\/fields\/0 must have required property 'options'/,
  ],
  [
    'options of an email address',
    'form',
    `name: A\nfields: [{ name: a, label: A, type: email, options: [x] }]`,
    /^\/fields\/0\/options must NOT have more than 0 items/,
  ],
  [
    'a size of a text',
    'form',
    'name: A\nfields: [{ name: a, label: A, validation: { max_size: 7 } }]',
    /^\/fields\/0\/validation property name must be valid/,
  ],
  [
    'too many retries',
    'form',
    `name: A\nfields: [${FIELD}]\nwebhooks: [{ url: https://a.example, max_retries: 51 }]`,
    /^\/webhooks\/0\/max_retries must be <= 50/,
  ],
  [
    'an unknown operator',
    'form',
    `name: A\nfields: [${FIELD}]\nwebhooks: [{ url: https://a.example, fire_on: { field: email, op: is, value: a } }]`,
    /^\/webhooks\/0\/fire_on/,
  ],
]

for (const [what, kind, text, at] of WRONG)
  test(`the schema of a ${kind} refuses ${what}`, () => {
    const faults = faultsOf(kind, text)
    assert.ok(
      faults.some((fault) => at.test(fault)),
      faults.join('\n') || 'valid',
    )
  })

const CONDITIONS = [
  '{}',
  'null',
  '{ role: owner, budget: [high, medium] }',
  '{ field: budget, op: gte, value: 500 }',
  '{ field: phone, op: not_empty }',
  '{ all: [{ any: [{ role: owner }, { not: { field: meta.location_slug, op: within, value: texas } }] }] }',
]

for (const condition of CONDITIONS)
  test(`the schema of forms knows the condition ${condition}`, () => {
    const text = `name: A\nfields: [${FIELD}]\nwebhooks: [{ url: "\${HOOK}", fire_on: ${condition} }]`
    assert.deepEqual(faultsOf('form', text), [])
  })
