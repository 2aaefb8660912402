import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  type ChangedPage,
  PAGES_LISTED,
  readLaterList,
  writeLaterLists,
} from '#src/publish/previews/changed-pages.ts'
import { countKinds, kindOfPage, sortByKind } from '#src/publish/previews/page-kinds.ts'
import type { Preview } from '#src/publish/previews/preview-store.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { overviewPage } from '#src/server/previews/overview-page.ts'
import { temporaryFolder } from '../../support/database.ts'
import { readPage, wordsOf } from '../../support/pages/read-page.ts'

const BASE = '/api/previews/token'

function changesOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    change: 'changed' as const,
    path: `/services/${index}`,
    key: `entry:${index}`,
  }))
}

function aPreview(pages: readonly ChangedPage[], more: Partial<Preview> = {}): Preview {
  return {
    ...{ id: 1, tokenSha256: '', releaseId: '', changeId: 0, pagesSha256: '', selected: undefined },
    ...{ madeAt: '2026-11-20T12:00:00.000Z', madeBy: 'ann@example.com', readyAt: '2026-11-20T12:00:00.000Z' },
    ...{ expiresAt: '2026-11-27T12:00:00.000Z', failureMessage: null, endedAt: null, publishedAt: null },
    ...{ approvedAt: null, approvedBy: null, approvalNote: null, edits: [], hasMoreEdits: false },
    ...{ changes: [...pages], pageCount: pages.length, kinds: countKinds(pages) },
    ...more,
  }
}

/** The list with this number, whose pages these are. */
function overviewOf(preview: Preview, { list = 1, pages = preview.changes } = {}): string {
  const known = { preview, state: 'open' as const, answers: [], base: BASE, timeZone: 'UTC' }
  return overviewPage({ ...known, list, pages, site: 'Ours' })
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
  assert.equal(links(overviewOf(aPreview(changesOf(PAGES_LISTED)))), null)
  const listed = aPreview(changes.slice(0, PAGES_LISTED), { pageCount: changes.length })
  const first = overviewOf(listed)
  assert.deepEqual(links(first), ['?list=2'])
  assert.match(first, /1–500 of 1,001/)
  const second = overviewOf(listed, { list: 2, pages: changes.slice(PAGES_LISTED, -1) })
  assert.deepEqual(links(second), ['?list=1', '?list=3'])
  const third = overviewOf(listed, { list: 3, pages: changes.slice(-1) })
  assert.deepEqual(links(third), ['?list=2'])
  assert.match(third, /1,001–1,001 of 1,001/)
})

test('changed pages are listed by kind, the edited ones first, and folded if there are many', () => {
  const aPage = (path: string, key: string) => ({ change: 'changed' as const, path, key })
  const pages = [
    aPage('/404', 'fixed:/404'),
    aPage('/', 'fixed:/'),
    aPage('/about', 'entry:4'),
    aPage('/services', 'fixed:/services'),
    aPage('/services/ac/austin', 'place:1:7'),
    aPage('/services/ac/dallas', 'place:1:8'),
    aPage('/services/ac', 'entry:1'),
  ]
  const sorted = sortByKind(pages, new Set(['entry:4']))
  assert.deepEqual(
    sorted.map(({ path }) => path),
    ['/about', '/', '/services/ac', '/services/ac/austin', '/services/ac/dallas', '/services', '/404'],
  )
  const page = readPage(overviewOf(aPreview(sorted)))
  assert.equal(page.getByText('7 changed pages').closest('details')?.open, false)
  assert.deepEqual(page.getAllByRole('heading', { level: 3 }).map(wordsOf), [
    ...['Home page', '1 service page', '2 local pages', '1 list page', '1 other page', '1 error page'],
  ])
})

test('the kind of a page follows from its subject and its address', () => {
  const kinds: [path: string, key: string, kind: string][] = [
    ['/', 'fixed:/', 'home'],
    ['/', 'own:/', 'home'],
    ['/services/ac', 'entry:1', 'service'],
    ['/about', 'entry:4', 'other'],
    ['/our/services/ac', 'entry:5', 'other'],
    ['/services/ac/austin', 'place:1:7', 'local'],
    ['/forms/quote', 'form:2', 'form'],
    ['/forms/quote/thanks', 'thanks:2', 'form'],
    ['/platform', 'own:form:', 'other'],
    ['/services', 'fixed:/services', 'list'],
    ['/areas/texas', 'area:3', 'list'],
    ['/areas', 'areas-from:3', 'list'],
    ['/brands', 'taxonomy:3', 'list'],
    ['/brands/acme', 'term:3', 'list'],
    ['/x', 'own:term:', 'other'],
    ...['/404', '/410', '/500'].map((path): [string, string, string] => [path, `fixed:${path}`, 'message']),
    ['/about/404', 'own:/about/404', 'other'],
    ['/4040', 'own:/4040', 'other'],
  ]
  for (const [path, key, kind] of kinds) assert.equal(kindOfPage({ path, key }), kind, path)
  const pages = kinds.slice(0, 5).map(([path, key]) => ({ path, key }))
  assert.deepEqual(countKinds(pages), { home: 2, service: 1, other: 2 })
})

const EDIT = { name: 'AC', kind: 'Service', change: 'edited' as const, fields: [] }

test('the edited page comes first, and pages that show the same changes are folded', () => {
  const pages = [
    { change: 'changed' as const, path: '/services/ac', key: 'entry:1' },
    { change: 'changed' as const, path: '/', key: 'fixed:/' },
    { change: 'changed' as const, path: '/services/ac/austin', key: 'place:1:7' },
  ]
  const page = readPage(overviewOf(aPreview(pages, { edits: [{ ...EDIT, page: 'entry:1' }] })))
  const edited = page.getByText('AC', { selector: 'strong' }).closest('li') as Element
  const links = [...edited.querySelectorAll('a')].map(wordsOf)
  assert.deepEqual(links, ['New page', 'Compare with the live page'])
  const folded = page.getByText('And 2 pages that show the same changes').closest('details')
  assert.equal(folded?.open, false)
  assert.equal(folded?.textContent?.includes('/services/ac/austin'), true)
  assert.equal(folded?.querySelector('a[href$="/new/services/ac"]'), null)
})

test('a few new pages are listed before the folded ones', () => {
  const pages = [
    { change: 'added' as const, path: '/services/ac/buda', key: 'place:1:9' },
    { change: 'changed' as const, path: '/', key: 'fixed:/' },
  ]
  const page = readPage(overviewOf(aPreview(pages, { edits: [{ ...EDIT, name: 'Buda' }] })))
  page.getByRole('heading', { name: 'New pages' })
  page.getByText('And 1 page that shows the same changes')
  const added = page.getByText('/services/ac/buda').closest('li') as Element
  assert.deepEqual([...added.querySelectorAll('a')].map(wordsOf), ['New page'])
  assert.equal(added.closest('details'), null)
  assert.doesNotMatch(wordsOf(added), /\(new\)/)
})

test('a changed text shows its new version, and folded, the one before', () => {
  const parts = [
    { change: 'same' as const, text: 'Call before ' },
    { change: 'removed' as const, text: 'noon' },
    { change: 'added' as const, text: 'four' },
  ]
  const page = readPage(
    overviewOf(aPreview([], { edits: [{ ...EDIT, fields: [{ label: 'Text', parts }] }] })),
  )
  const shown = page.fact('Text').element
  const former = shown.querySelector('details')
  assert.equal(wordsOf(former as Element), 'Previous version Call before removed: noon')
  assert.equal(former?.open, false)
  former?.remove()
  assert.equal(wordsOf(shown), 'Call before added: four')
})

test('a preview says until when its link works, and that it is outdated or live in place of the form', () => {
  const preview = aPreview([])
  const shown = (state: 'open' | 'older' | 'published', more = {}) =>
    readPage(
      overviewPage({
        ...{ preview: { ...preview, ...more }, state, answers: [], base: BASE, timeZone: 'UTC' },
        ...{ list: 1, pages: [], site: 'Ours' },
      }),
    )
  const open = shown('open')
  open.getByRole('heading', { name: 'Preview of Ours', level: 1 })
  open.getByText('Anyone with this link can see these unpublished changes until November 27, 2026.')
  assert.equal(wordsOf(open.getByRole('status')), 'No one has responded yet.')
  open.getByText('Your approval tells the people who run this site that they can publish these pages.')
  const outdated = shown('older', { approvedBy: 'Cleo' })
  assert.match(
    wordsOf(outdated.getByRole('status')),
    /^This preview is out of date\. You can still read it\./,
  )
  assert.equal(outdated.queryByRole('button'), null)
  const live = shown('published', { publishedAt: '2026-11-21T12:00:00.000Z' })
  assert.equal(wordsOf(live.getByRole('status')), 'These changes went live on November 21, 2026.')
  assert.equal(live.queryByRole('button'), null)
  live.getByText('Anyone with this link can see these changes until November 27, 2026.')
})

test('a preview says that it names only the newest of very many changes', () => {
  const words = /Only the newest changes are listed here/
  const shown = (hasMoreEdits: boolean) => overviewOf(aPreview([], { edits: [EDIT], hasMoreEdits }))
  assert.match(shown(true), words)
  assert.doesNotMatch(shown(false), words)
})
