import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelOfField, nameOfDocument } from '#src/admin/conflicts/field-labels.ts'
import { maySettle } from '#src/admin/conflicts/may-settle.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { TEXT } from '#src/content-files/conflicts/changed-fields.ts'
import type { EntryDocument } from '#src/content-files/document.ts'

const PROJECT: EntryDocument = {
  ...{ kind: 'entry', type: 'projects', slug: 'roof', title: 'New roof', status: 'published' },
  ...{ terms: {}, fields: {}, body: '' },
}
const TYPES = [
  { slug: 'pages', fields: [{ key: 'year', label: 'Founded' }] },
  { slug: 'projects', fields: [{ key: 'year', label: 'Year' }] },
] as never

const labelOf = (field: string, document: Parameters<typeof labelOfField>[0] = PROJECT) =>
  labelOfField(document, field, TYPES)

test('the fields of a conflict have the labels of the editor', () => {
  assert.deepEqual(
    ['title', 'status', 'unpublish_at', TEXT, 'year', 'unknown', 'toString'].map((field) => labelOf(field)),
    ['Title', 'Status', 'Show until', 'Text', 'Year', 'unknown', 'toString'],
  )
  const service = { ...PROJECT, type: 'services' }
  assert.equal(labelOf('offered_in', service), 'Offered in')
  assert.equal(labelOf('year', service), 'year')
  const site = { kind: 'site', settings: { name: 'Acme' } } as never
  assert.deepEqual([labelOf('name', site), labelOf('year', site)], ['Name', 'year'])
  assert.deepEqual([labelOf('title', null), labelOf('title', { kind: 'form' } as never)], ['title', 'title'])
})

test('a conflict names the subject of its file', () => {
  assert.deepEqual(
    [
      nameOfDocument(PROJECT),
      nameOfDocument({ ...PROJECT, title: '' }),
      nameOfDocument(null),
      nameOfDocument({ kind: 'site', settings: { name: 'Acme' } } as never),
      nameOfDocument({ kind: 'picture', name: 'van.png' } as never),
      nameOfDocument({ kind: 'form', definition: { name: 'Quote' } } as never),
    ],
    ['New roof', undefined, undefined, 'Acme', 'van.png', 'Quote'],
  )
})

test('a conflict is resolved only by users who may edit what the file contains', () => {
  const allowed = (role: Role) =>
    [
      'entries/pages/about.md',
      'forms/quote.yaml',
      'content_types/projects.yaml',
      'site.yaml',
      'entries/forms/content_types/site.yaml',
    ].map((path) => maySettle({ role, limits: NO_LIMITS }, path))
  assert.deepEqual(allowed('manager'), [true, true, true, true, true])
  assert.deepEqual(allowed('editor'), [true, false, false, false, true])
  assert.deepEqual(allowed('viewer'), [false, false, false, false, false])
})
