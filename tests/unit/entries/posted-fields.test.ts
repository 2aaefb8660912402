import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { readPostedFields, textAt, toPosted } from '#src/entries/types/posted-fields.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'

const aField = (key: string, type: SchemaField['type'], fields?: SchemaField[]): SchemaField => ({
  ...{ key, label: key, type },
  ...(fields && { fields }),
})
const typeOf = (slug: string, fields: SchemaField[]) => ({ slug, fields }) as unknown as ContentType

function read(type: ContentType, ...posted: (readonly [name: string, value: string])[]) {
  const form = new FormData()
  for (const [name, value] of posted) form.append(name, value)
  return readPostedFields(type, toPosted(form))
}

const PROJECTS = typeOf('projects', [
  aField('client', 'text'),
  aField('price', 'number'),
  aField('is_new', 'boolean'),
  aField('tags', 'list'),
  aField('photos', 'pictures'),
  aField('steps', 'list', [aField('name', 'text'), aField('count', 'number')]),
])

test('posted values are read by the type of their field', () => {
  assert.deepEqual(
    read(
      PROJECTS,
      ...([
        ...[
          ['client', ' A\r\nB '],
          ['price', '1.5'],
          ['is_new', 'false'],
        ],
        ['tags', 'one\r\n\r\n two '],
        ...[
          ['photos[]', 'a.jpg'],
          ['photos[]', 'b.jpg'],
          ['photos.more', 'b.jpg\nc.jpg'],
        ],
        ...[
          ['steps.10.name', 'Last'],
          ['steps.2.name', 'First'],
          ['steps.2.count', '2'],
        ],
        ...[
          ['steps.3.name', ''],
          ['steps.x.name', 'No item'],
          ['stepsx.4.name', 'No item'],
        ],
      ] as [string, string][]),
    ),
    {
      ...{ client: 'A\nB', price: 1.5, is_new: false, tags: ['one', 'two'] },
      ...{ photos: ['a.jpg', 'b.jpg', 'c.jpg'] },
      steps: [{ name: 'First', count: 2 }, { name: 'Last' }],
    },
  )
})

test('empty values are left out, and wrong ones stay text', () => {
  assert.deepEqual(read(PROJECTS, ['client', ' '], ['tags', '\n'], ['price', ''], ['is_new', '']), {})
  assert.deepEqual(read(PROJECTS, ['price', 'free'], ['is_new', 'on'], ['steps.0.count', 'x']), {
    ...{ price: 'free', is_new: 'on', steps: [{ count: 'x' }] },
  })
  assert.deepEqual(read(PROJECTS, ['is_new', 'true']), { is_new: true })
})

test('the last value of an input counts, and files don’t', () => {
  const form = new FormData()
  form.append('a', '1')
  form.append('a', '2')
  form.append('b[]', '3')
  form.append('c', new Blob(['4']), 'c.txt')
  const posted = toPosted(form)
  assert.deepEqual(posted, new Map(Object.entries({ a: ['1', '2'], b: ['3'] })))
  assert.deepEqual([textAt('a', posted), textAt('none', posted)], ['2', ''])
})

test('a local page has its place as text and its testimonials as IDs', () => {
  const pairs = typeOf('location_services', [
    aField('location_term_id', 'number'),
    aField('local_testimonials', 'text'),
  ])
  assert.deepEqual(
    read(pairs, ['location_term_id', '12'], ['local_testimonials[]', '3'], ['local_testimonials[]', '4']),
    { location_term_id: '12', local_testimonials: '3,4' },
  )
  assert.deepEqual(read(pairs, ['location_term_id', '']), {})
})

for (const [what, posted, sections] of [
  ['follows the site', [['sections.all', 'faq']], undefined],
  [
    'shows its own selection in its own order',
    [
      ['sections.own', 'on'],
      ...['faq', 'steps', 'reviews', 'gallery', 'places', 'before_after'].map((name) => [
        'sections.all[]',
        name,
      ]),
      ...['1', '2', '3', '4', '5', '6'].map((place) => ['sections.place[]', place]),
      ['sections.shown[]', 'steps'],
      ['sections.shown[]', 'faq'],
    ],
    ['faq', 'steps', '-reviews', '-gallery', '-places', '-before_after'],
  ],
  [
    'shows no sections',
    [
      ['sections.own', 'on'],
      ...['steps', 'before_after', 'gallery', 'places', 'reviews', 'faq'].map((name) => [
        'sections.all[]',
        name,
      ]),
      ...['1', '2', '3', '4', '5', '6'].map((place) => ['sections.place[]', place]),
    ],
    ['none'],
  ],
  ['lists sections by line, as files do', [['sections', 'faq\nsteps']], ['faq', 'steps']],
] as const)
  test(`a service ${what}`, () => {
    const services = typeOf('services', [aField('sections', 'list')])
    assert.deepEqual(
      read(services, ...(posted as unknown as [string, string][])),
      sections ? { sections } : {},
    )
  })
