import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapTexts } from '#src/entries/history/change-texts.ts'
import { compareSnapshots, nameOfKey, pickValues } from '#src/entries/history/compare-snapshots.ts'
import { type EntrySnapshot, toSnapshot } from '#src/entries/history/entry-snapshot.ts'

const EMPTY: EntrySnapshot = {
  ...{ title: '', slug: 'a', status: 'draft', body: '', data: {}, isGenerated: false },
  ...{ publishAt: null, unpublishAt: null, redirectFrom: [], termIds: [] },
}
const FULL: EntrySnapshot = {
  ...{ title: 'A', slug: 'b', status: 'published', body: 'Text', isGenerated: true },
  ...{ publishAt: '2026', unpublishAt: '2027', redirectFrom: ['/old'], termIds: [3] },
  data: { intro: 'Hello', steps: [{ title: 'One', text: 'Two' }], gone: 1 },
}
const FIELDS = [
  { key: 'intro', label: 'Intro', type: 'text' as const },
  { key: 'steps', label: 'Steps', type: 'list' as const },
]

test('versions differ in values of the entry and fields of its type, also fields it no longer has', () => {
  const changes = compareSnapshots(EMPTY, FULL, FIELDS)
  assert.deepEqual(
    changes.map(({ key }) => nameOfKey(key)),
    [
      ...['title', 'slug', 'status', 'body', 'publishAt', 'unpublishAt', 'redirectFrom', 'termIds'],
      ...['data.intro', 'data.steps', 'data.gone'],
    ],
  )
  assert.deepEqual(changes[1], { key: { own: 'slug' }, before: 'a', after: 'b' })
  assert.deepEqual(changes[8], {
    ...{ key: { field: 'intro', label: 'Intro' }, before: undefined, after: 'Hello' },
  })
  assert.deepEqual(compareSnapshots(FULL, EMPTY, FIELDS)[10]?.key, { field: 'gone', label: 'gone' })
})

test('empty values and the order of keys make no difference', () => {
  const empty = { ...EMPTY, data: { intro: '', steps: [], none: null } }
  assert.deepEqual(compareSnapshots(empty, EMPTY, FIELDS), [])
  const reordered = { ...FULL.data, steps: [{ text: 'Two', title: 'One' }] }
  assert.deepEqual(compareSnapshots(FULL, { ...FULL, data: reordered }, FIELDS), [])
  assert.deepEqual(
    compareSnapshots(undefined, EMPTY, FIELDS).map(({ key }) => nameOfKey(key)),
    ['slug', 'status'],
  )
  assert.equal(compareSnapshots({ ...EMPTY, data: { intro: 0 } }, EMPTY, FIELDS).length, 1)
})

test('only the named values come from the other version, and missing ones are removed', () => {
  assert.deepEqual(pickValues(EMPTY, FULL, new Set()), EMPTY)
  assert.deepEqual(pickValues(EMPTY, FULL, new Set(['title', 'data.intro', 'isGenerated'])), {
    ...EMPTY,
    ...{ title: 'A', data: { intro: 'Hello' } },
  })
  assert.deepEqual(pickValues(FULL, EMPTY, new Set(['data.gone', 'data.steps', 'intro'])), {
    ...FULL,
    data: { intro: 'Hello' },
  })
})

test('the content of a version leaves out IDs and times, and sorts terms', () => {
  const stored = { ...FULL, id: 1, typeId: 2, createdAt: 'x', updatedAt: 'y' }
  assert.deepEqual(toSnapshot(stored, [10, 9]), { ...FULL, termIds: [9, 10] })
})

test('every text is changed at any depth, and nothing else', () => {
  const change = (text: string) => text.toUpperCase()
  assert.deepEqual(mapTexts({ a: 'x', b: ['y', { c: 'z', d: null }], e: 1, f: true }, change), {
    ...{ a: 'X', b: ['Y', { c: 'Z', d: null }], e: 1, f: true },
  })
})
