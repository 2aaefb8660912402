import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { compareForms } from '#src/forms/history/compare-forms.ts'
import { aFormFile, type FormFile } from '../../support/forms.ts'

const SIZE = { name: 'size', label: 'Size' }
const ROOMS = { name: 'rooms', label: 'Rooms', type: 'number' as const }
const NOTES = { name: 'notes', label: 'Notes' }

const aSnapshot = ({ slug = 'quote', ...file }: FormFile & { slug?: string } = {}) => ({
  slug,
  ...formDefinitionSchema.parse(aFormFile({ fields: [SIZE, ROOMS], ...file })),
})

const CHANGES: [what: string, before: FormFile, after: FormFile & { slug?: string }, changes: object[]][] = [
  ['nothing', {}, {}, []],
  [
    'the form’s own keys',
    {},
    { name: 'Offer', slug: 'offer', description: 'Ask', status: 'archived' },
    [
      { key: { own: 'name' }, before: 'Contact', after: 'Offer' },
      { key: { own: 'slug' }, before: 'quote', after: 'offer' },
      { key: { own: 'description' }, before: null, after: 'Ask' },
      { key: { own: 'status' }, before: 'active', after: 'archived' },
    ],
  ],
  [
    'settings that were added, changed, and removed',
    { settings: { honeypot: 'website', retention_days: 30 } },
    { settings: { retention_days: 60, success_heading: 'Thanks' } },
    [
      { key: { setting: 'success_heading' }, before: undefined, after: 'Thanks' },
      { key: { setting: 'retention_days' }, before: 30, after: 60 },
      { key: { setting: 'honeypot' }, before: 'website', after: undefined },
    ],
  ],
  [
    'empty values, however they are stored',
    { settings: { success_body: null, notifications: [], anti_spam: {} } },
    { settings: { success_heading: ' ' } },
    [],
  ],
  [
    'keys in another order',
    { settings: { anti_spam: { max_links: 1, min_seconds: 2 } } },
    {
      settings: { anti_spam: { min_seconds: 2, max_links: 1 } },
    },
    [],
  ],
  [
    'a part of a question, under its new label',
    {},
    { fields: [{ ...SIZE, label: 'How large?', required: true }, ROOMS] },
    [
      { key: { question: 'How large?', part: 'label' }, before: 'Size', after: 'How large?' },
      { key: { question: 'How large?', part: 'required' }, before: false, after: true },
    ],
  ],
  [
    'a question that was added, without a change of order',
    {},
    { fields: [NOTES, SIZE, ROOMS] },
    [
      {
        key: { question: 'Notes' },
        before: undefined,
        after: { name: 'notes', type: 'text', label: 'Notes' },
      },
    ],
  ],
  [
    'a question that was removed',
    {},
    { fields: [SIZE] },
    [
      {
        key: { question: 'Rooms' },
        before: { name: 'rooms', type: 'number', label: 'Rooms' },
        after: undefined,
      },
    ],
  ],
  [
    'the order',
    {},
    { fields: [ROOMS, SIZE] },
    [{ key: { order: true }, before: ['Size', 'Rooms'], after: ['Rooms', 'Size'] }],
  ],
]

for (const [what, before, after, changes] of CHANGES)
  test(`comparing versions of a form: ${what}`, () => {
    assert.deepEqual(compareForms(aSnapshot(before), aSnapshot(after)), changes)
  })

test('comparing versions of a form: the first version adds every value that is not empty', () => {
  const first = aSnapshot({ settings: { retention_days: 30, success_body: null }, fields: [SIZE] })
  assert.deepEqual(compareForms(undefined, first), [
    { key: { own: 'name' }, before: undefined, after: 'Contact' },
    { key: { own: 'slug' }, before: undefined, after: 'quote' },
    { key: { own: 'status' }, before: undefined, after: 'active' },
    { key: { setting: 'retention_days' }, before: undefined, after: 30 },
    { key: { question: 'Size' }, before: undefined, after: { name: 'size', type: 'text', label: 'Size' } },
  ])
})
