import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRow } from '#src/entries/types/check-fields.ts'
import type { ContentType, SchemaField } from '#src/entries/types/content-type-store.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

const aField = (key: string, type: SchemaField['type'], more: Partial<SchemaField> = {}): SchemaField => ({
  ...{ key, label: key.toUpperCase(), type },
  ...more,
})
const TYPE = {
  slug: 'projects',
  fields: [
    aField('client', 'text', { required: true }),
    aField('price', 'number'),
    aField('is_new', 'boolean'),
    aField('built', 'date'),
    aField('site', 'url'),
    aField('tags', 'list'),
    aField('photos', 'pictures', { required: true }),
    aField('steps', 'list', { fields: [aField('name', 'text', { required: true }), aField('link', 'url')] }),
    aField('steps0name', 'number'),
  ],
} as unknown as ContentType

const ROW = {
  ...{ title: 'A', publish_at: null, unpublish_at: null, redirect_from: [] },
  ...{ client: 'C', photos: ['a.jpg'] },
}

const EARLY = '2026-11-20T10:00:00.000Z'
const LATE = '2026-11-20T11:00:00.000Z'

for (const [what, values, problems] of [
  ['nothing but required values', {}, {}],
  [
    'a valid value of each type',
    {
      ...{ price: 1.5, is_new: false, built: '2024-02-29', site: 'http://example.com/a', tags: ['a'] },
      ...{ steps: [{ name: 'A', link: 'https://example.com' }], publish_at: EARLY, unpublish_at: LATE },
      redirect_from: ['/old'],
    },
    {},
  ],
  [
    'an invalid value of each type',
    { client: 1, price: '1', is_new: 'on', built: '2026-02-30', site: 'ftp://example.com', tags: 'a' },
    {
      client: ['field_invalid', { type: 'text' }],
      price: ['field_invalid', { type: 'number' }],
      is_new: ['field_invalid', { type: 'boolean' }],
      built: ['field_invalid', { type: 'date' }],
      site: ['field_invalid', { type: 'url' }],
      tags: ['field_invalid', { type: 'list' }],
    },
  ],
  [
    'no title and no required values',
    { title: ' ', client: '', photos: [] },
    {
      title: ['title_missing', undefined],
      client: ['field_missing', { label: 'CLIENT', type: 'text' }],
      photos: ['field_missing', { label: 'PHOTOS', type: 'pictures' }],
    },
  ],
  [
    'items with invalid values, apart from a field with a similar key',
    { steps: [{ name: '', link: 'x' }, { name: 'B' }, { name: 'C', extra: 1 }], steps0name: 'x' },
    {
      'steps.0.name': ['field_missing', { label: 'NAME', type: 'text' }],
      'steps.0.link': ['field_invalid', { type: 'url' }],
      'steps.2': ['field_invalid', { type: 'list' }],
      steps0name: ['field_invalid', { type: 'number' }],
    },
  ],
  [
    'times in the wrong order',
    { publish_at: LATE, unpublish_at: EARLY },
    { unpublish_at: ['time_too_early', undefined] },
  ],
  [
    'equal times',
    { publish_at: EARLY, unpublish_at: EARLY },
    { unpublish_at: ['time_too_early', undefined] },
  ],
  [
    'an invalid time that can’t be compared',
    { publish_at: LATE, unpublish_at: '2026-11-20' },
    { unpublish_at: ['time_invalid', undefined] },
  ],
  [
    'an invalid first time',
    { publish_at: 'soon', unpublish_at: EARLY },
    { publish_at: ['time_invalid', undefined], unpublish_at: ['time_too_early', undefined] },
  ],
  [
    'several invalid addresses: only the first',
    { redirect_from: ['/old', 'x', 'y'] },
    { redirect_from: ['redirect_invalid', { path: 'x', rule: { code: 'former_address' } }] },
  ],
  [
    'times and fields at once',
    { client: '', publish_at: LATE, unpublish_at: EARLY },
    {
      client: ['field_missing', { label: 'CLIENT', type: 'text' }],
      unpublish_at: ['time_too_early', undefined],
    },
  ],
] as const)
  test(`a row with ${what}`, () => {
    const found = checkRow(TYPE, { ...ROW, ...values }).map(({ path, ...fault }) => [
      path.join('.'),
      [fault.code, 'params' in fault ? fault.params : undefined],
    ])
    assert.equal(new Map(found as [string, unknown][]).size, found.length)
    assert.deepEqual(Object.fromEntries(found), problems)
  })

test('the problem with a redirect names what an old address can’t contain', () => {
  const [problem] = checkRow(TYPE, { ...ROW, redirect_from: ['/über-uns', '/%C3%BCber-uns', '/50%25'] })
  assert.ok(problem)
  assert.match(describeProblem(problem), /^“\/50%25” can’t redirect here: .* signs such as \?, #, %, and &/)
})
