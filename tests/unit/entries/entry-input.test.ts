import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEntryInput } from '#src/entries/editing/entry-input.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'

const PAGES = { slug: 'pages', fields: [] } as unknown as ContentType

test('a time is read in its form’s zone, or as UTC; an invalid one is kept to be refused', () => {
  const momentOf = (text: string, zone = '') =>
    readEntryInput(
      PAGES,
      new Map([
        ['publish_at', [text]],
        ['time_zone', [zone]],
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
