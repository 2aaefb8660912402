import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PAGES_LISTED, readLaterList, writeLaterLists } from '#src/publish/previews/changed-pages.ts'
import { countKinds, sortByKind } from '#src/publish/previews/page-kinds.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { overviewPage } from '#src/server/previews/preview-pages.ts'
import { temporaryFolder } from '../../support/database.ts'

const BASE = '/api/previews/token'

function changesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    change: 'changed' as const,
    path: `/services/${index}`,
    key: `entry:${index}`,
  }))
}

function overviewOf(list: number, pages: ReturnType<typeof changesOf>, pageCount: number): string {
  const kinds = countKinds(pages)
  const preview = { changes: pages, pageCount, approvedBy: null, edits: [], hasMoreEdits: false, kinds }
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

test('changed pages are listed by kind, the edited ones first, and folded if there are many', () => {
  const page = (path: string, key: string) => ({ change: 'changed' as const, path, key })
  const pages = [
    page('/404', 'fixed:/404'),
    page('/', 'fixed:/'),
    page('/about', 'entry:4'),
    page('/services', 'fixed:/services'),
    page('/services/ac/austin', 'place:1:7'),
    page('/services/ac/dallas', 'place:1:8'),
    page('/services/ac', 'entry:1'),
  ]
  const sorted = sortByKind(pages, new Set(['entry:4']))
  assert.deepEqual(
    sorted.map(({ path }) => path),
    ['/about', '/', '/services/ac', '/services/ac/austin', '/services/ac/dallas', '/services', '/404'],
  )
  const preview = {
    ...{ changes: sorted, pageCount: pages.length, approvedBy: null, edits: [], hasMoreEdits: false },
    kinds: countKinds(pages),
  }
  const html = overviewPage({ preview, list: 1, pages: sorted, answers: [], base: BASE, site: 'Ours' })
  assert.deepEqual(
    [...html.matchAll(/<details( open)?><summary>([^<]+)/g)].map(([, open, label]) => [open, label]),
    [
      [undefined, 'Home page'],
      [undefined, '1 service page'],
      [undefined, '2 local pages'],
      [undefined, '1 list page'],
      [undefined, '1 other page'],
      [undefined, '1 error page'],
    ],
  )
})

test('a preview says that it names only the newest of very many changes', () => {
  const edits = [{ name: 'About', kind: 'Pages', change: 'edited' as const, fields: [] }]
  const words = /Only the newest changes are listed here/
  const shown = (hasMoreEdits: boolean) => {
    const preview = { changes: [], pageCount: 0, approvedBy: null, edits, hasMoreEdits, kinds: {} }
    return overviewPage({ preview, list: 1, pages: [], answers: [], base: BASE, site: 'Ours' })
  }
  assert.match(shown(true), words)
  assert.doesNotMatch(shown(false), words)
})
