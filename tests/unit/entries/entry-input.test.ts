import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentType } from '../../../src/entries/content-type-store.ts'
import { readEntryInput } from '../../../src/entries/entry-input.ts'

const PAGES = { slug: 'pages', fields: [] } as unknown as ContentType

test('a moment is read as UTC; a day that the calendar has not stays as it was written, to be refused', () => {
  const momentOf = (text: string) => readEntryInput(PAGES, new Map([['publish_at', [text]]])).publishAt
  assert.equal(momentOf('2026-03-29T02:30'), '2026-03-29T02:30:00.000Z')
  assert.equal(momentOf('2024-02-29T23:59:59'), '2024-02-29T23:59:59.000Z')
  assert.equal(momentOf('2026-02-30T08:00'), '2026-02-30T08:00')
  assert.equal(momentOf(''), null)
})
