import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntryInput } from '#src/entries/editing/entry-input.ts'
import { readListQuestion } from '#src/entries/editing/list-page.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'

const PAGES = { slug: 'pages', fields: [] } as unknown as ContentType

test('a time is read in its form’s zone, or as UTC; an invalid one is kept to be refused', () => {
  const momentOf = (text: string, zone = '') =>
    readEntryInput(
      PAGES,
      new Map([
        ['publish_at', [text]],
        ['time-zone', [zone]],
      ]),
    ).publishAt
  assert.equal(momentOf('2026-03-29T02:30'), '2026-03-29T02:30:00.000Z')
  assert.equal(momentOf('2024-02-29T23:59:59'), '2024-02-29T23:59:59.000Z')
  assert.equal(momentOf('2026-07-20T08:00', 'Europe/Dublin'), '2026-07-20T07:00:00.000Z')
  assert.equal(momentOf('2026-07-20T08:00', 'Mars/Olympus'), '2026-07-20T08:00:00.000Z')
  // The hour that the clocks skip.
  assert.equal(momentOf('2026-03-29T01:30', 'Europe/Dublin'), '2026-03-29T01:30:00.000Z')
  assert.equal(momentOf('2026-02-30T08:00'), '2026-02-30T08:00')
  assert.equal(momentOf('2026-11-20'), '2026-11-20')
  assert.equal(momentOf(''), null)
})

test('each input of the form has its own value', () => {
  const posted = {
    ...{ slug: 'about', title: 'About', status: 'published', body: 'Text', based_on: 'then' },
    ...{ publish_at: '2026-07-20T08:00', unpublish_at: '2026-07-21T08:00', redirect_from: '/old\n/older' },
    'named_terms.locations': ' Austin,\nTulsa, ',
  }
  const values = Object.entries(posted).map(([name, value]): [string, string[]] => [name, [value]])
  assert.deepEqual(readEntryInput(PAGES, new Map([...values, ['terms', ['3', 'x', '5']]])), {
    ...{ slug: 'about', title: 'About', status: 'published', body: 'Text', basedOn: 'then', fields: {} },
    ...{ publishAt: '2026-07-20T08:00:00.000Z', unpublishAt: '2026-07-21T08:00:00.000Z' },
    ...{ redirectFrom: ['/old', '/older'], termIds: [3, 5], namedTerms: { locations: ['Austin', 'Tulsa'] } },
  })
  assert.deepEqual(readEntryInput(PAGES, new Map()), {
    ...{ slug: '', title: '', status: 'draft', body: '', basedOn: undefined, fields: {} },
    ...{ publishAt: null, unpublishAt: null, redirectFrom: [], termIds: [], namedTerms: {} },
  })
})

test('a list’s address is its filter, state, order, and position', () => {
  const empty = { text: undefined, termId: undefined, isWritten: undefined }
  for (const [query, question] of [
    ['', {}],
    ['q=+roof+&term=4&own=1', { filter: { text: 'roof', termId: 4, isWritten: true } }],
    ['q=+&term=0&own=0', {}],
    ['term=1.5', {}],
    ['state=live&order=changed&after=3.about', { state: 'live', order: 'changed', after: '3.about' }],
    ['state=&order=slug', {}],
  ] as const)
    assert.deepEqual(
      readListQuestion(new URLSearchParams(query)),
      { ...{ filter: empty, state: undefined, order: 'slug', after: undefined }, ...question },
      query,
    )
})
