import assert from 'node:assert/strict'
import { test } from 'node:test'
import { picturesInFields, withPictureNames } from '#src/entries/types/picture-fields.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'

const FIELDS: SchemaField[] = [
  { key: 'hero', label: 'Hero', type: 'picture' },
  { key: 'gallery', label: 'Gallery', type: 'pictures' },
  { key: 'note', label: 'Note', type: 'text' },
  { key: 'tags', label: 'Tags', type: 'list' },
  {
    ...{ key: 'steps', label: 'Steps', type: 'list' },
    fields: [{ key: 'photo', label: 'Photo', type: 'picture' }],
  },
]

test('pictures are found in every field that names them, with the path of the name', () => {
  const values = {
    ...{ hero: 'a.jpg', gallery: ['b.jpg', 3, 'c.jpg'], note: 'n.jpg', tags: ['t.jpg'], other: 'o.jpg' },
    steps: [{ photo: 'd.jpg' }, null, ['e.jpg'], {}, { photo: 'f.jpg' }],
  }
  assert.deepEqual(
    picturesInFields(FIELDS, values).map(({ path, name }) => `${path.join('.')} ${name}`),
    ['hero a.jpg', 'gallery.0 b.jpg', 'gallery.2 c.jpg', 'steps.0.photo d.jpg', 'steps.4.photo f.jpg'],
  )
})

test('values in another format name no pictures', () => {
  for (const values of [
    null,
    'a.jpg',
    ['a.jpg'],
    { hero: '' },
    { hero: 1 },
    { gallery: 'a.jpg' },
    { steps: 'x' },
  ])
    assert.deepEqual(picturesInFields(FIELDS, values), [], JSON.stringify(values))
  const inherited = Object.create({ hero: 'a.jpg' })
  assert.deepEqual(picturesInFields(FIELDS, inherited), [])
  assert.deepEqual(withPictureNames(FIELDS, inherited), {})
})

test('names of pictures are composed, so that é is one character; other values stay', () => {
  const [apart, whole] = ['e\u0301.jpg', '\u00e9.jpg']
  assert.deepEqual(
    withPictureNames(FIELDS, {
      ...{ hero: apart, gallery: [apart, 3], note: apart, tags: [apart], more: apart },
      steps: [{ photo: apart, other: apart }, apart, null],
    }),
    {
      ...{ hero: whole, gallery: [whole, 3], note: apart, tags: [apart], more: apart },
      steps: [{ photo: whole, other: apart }, apart, null],
    },
  )
  assert.deepEqual(withPictureNames(FIELDS, { hero: 1, gallery: 'x', steps: 'y' }), {
    ...{ hero: 1, gallery: 'x', steps: 'y' },
  })
})
