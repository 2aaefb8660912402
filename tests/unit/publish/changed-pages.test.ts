import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PAGES_LISTED, readLaterList, writeLaterLists } from '#src/publish/previews/changed-pages.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { overviewPage } from '#src/server/previews/preview-pages.ts'
import { temporaryFolder } from '../../support/database.ts'

const BASE = '/api/previews/token'

function changesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    change: 'changed' as const,
    path: `/services/${index}`,
  }))
}

function overviewOf(list: number, pages: ReturnType<typeof changesOf>, pageCount: number): string {
  const preview = { changes: pages, pageCount, approvedBy: null, edits: [] }
  return overviewPage({ preview, list, pages, answers: [], base: BASE, site: 'Ours' })
}

test('a preview’s lists after the first have every changed page once, with titles', async (t) => {
  const siteDir = temporaryFolder(t)
  const changes = changesOf(2 * PAGES_LISTED + 1)
  const last = changes.at(-1)
  assert.ok(last)
  const file = join(siteDir, pageFile(last.path))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '<title>The last</title>')
  await writeLaterLists(siteDir, changes)

  assert.deepEqual(await readLaterList(siteDir, 2, undefined), changes.slice(PAGES_LISTED, -1))
  assert.deepEqual(await readLaterList(siteDir, 3, undefined), [{ ...last, title: 'The last' }])
  assert.equal(await readLaterList(siteDir, 4, undefined), undefined)
  assert.equal(await readLaterList(siteDir, 1, undefined), undefined)
})

test('a preview with one list writes no other', async (t) => {
  const siteDir = temporaryFolder(t)
  await writeLaterLists(siteDir, changesOf(PAGES_LISTED))
  assert.equal(await readLaterList(siteDir, 2, undefined), undefined)
})

test('lists of changed pages link to the lists before and after', () => {
  const changes = changesOf(2 * PAGES_LISTED + 1)
  const links = (html: string) => html.match(/\?list=\d+(?=#pages")/g)
  assert.equal(links(overviewOf(1, changesOf(PAGES_LISTED), PAGES_LISTED)), null)
  const first = overviewOf(1, changes.slice(0, PAGES_LISTED), changes.length)
  assert.deepEqual(links(first), ['?list=2'])
  assert.match(first, /1–500 of 1,001/)
  const second = overviewOf(2, changes.slice(PAGES_LISTED, -1), changes.length)
  assert.deepEqual(links(second), ['?list=1', '?list=3'])
  const third = overviewOf(3, changes.slice(-1), changes.length)
  assert.deepEqual(links(third), ['?list=2'])
  assert.match(third, /1,001–1,001 of 1,001/)
})
