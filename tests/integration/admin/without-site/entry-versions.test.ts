import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { describeChanges, labelOf } from '#src/admin/entries/versions/describe-changes.ts'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import type { EntrySnapshot } from '#src/entries/history/entry-snapshot.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findDraft, listVersionContents } from '#src/versions/version-store.ts'
import { anAdminPage } from '../../../support/admin-page.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { goLive } from '../../../support/live-release.ts'
import { draftEntry, editEntry } from '../../../support/small-edits.ts'
import { addEntry, addPlaces, addProjects } from '../../../support/small-site.ts'

const LATER = '2999-01-01T14:00:00.000Z'

const EMPTY: EntrySnapshot = {
  ...{ slug: 'a', title: 'A', status: 'published', body: '', data: {}, isGenerated: false },
  ...{ publishAt: null, unpublishAt: null, redirectFrom: [], termIds: [] },
}

/** Describes the changes between versions of an entry: `label: before > after`. */
async function aDescriber(t: TestContext) {
  const db = await openTestDatabase(t)
  const describe = async (
    slug: string,
    after: Partial<EntrySnapshot>,
    before: Partial<EntrySnapshot> = {},
  ) => {
    const type = await findContentType(db, slug)
    assert.ok(type)
    return describeChanges(db, type, {
      before: { ...EMPTY, ...before },
      after: { ...EMPTY, ...after },
      timeZone: 'America/Chicago',
    })
  }
  const texts = async (...given: Parameters<typeof describe>) =>
    (await describe(...given)).map(({ label, before, after }) => `${label}: ${before} > ${after}`)
  return { db, describe, texts }
}

test('changes are described as the editor shows them', async (t) => {
  const { db, describe, texts } = await aDescriber(t)
  assert.deepEqual(await texts('pages', {}), [])
  assert.deepEqual(await texts('pages', { title: 'B', status: 'draft' }, { body: 'Text' }), [
    ...['Title: A > B', 'Status: Published > Draft (not on the site)', 'Text: Text > '],
  ])
  const [title, body] = await describe('pages', { title: 'B', body: 'b' })
  assert.deepEqual(
    [title?.key, title?.isMarkdown, body?.key, body?.isMarkdown],
    ['title', false, 'body', true],
  )
  assert.match((await texts('pages', { publishAt: LATER }))[0] ?? '', /: {2}> Jan 1, 2999, 8:00/)
  const step = { key: 'title', label: 'Step', type: 'text' } as const
  await addProjects(
    db,
    { key: 'year', label: 'Year', type: 'text' },
    { key: 'steps', label: 'Steps', type: 'list', fields: [step] },
  )
  assert.deepEqual(
    await texts('projects', { data: { year: '2026', steps: [{ title: 'One' }], gone: 'x' } }),
    [...['Year:  > 2026', 'Steps:  > 1. Step: One', 'gone:  > x']],
  )
  const [field] = await describe('projects', { data: { body: 'x' } })
  assert.deepEqual([field?.key, field?.isMarkdown], ['data.body', false])
})

test('IDs in versions are shown as names, unless what they name is gone', async (t) => {
  const { db, texts } = await aDescriber(t)
  const places = await addPlaces(db, 'texas/austin', 'ohio')
  const [austin = 0, ohio = 0] = [places.get('austin'), places.get('ohio')]
  const ac = await addEntry(db, 'services', { slug: 'ac', title: 'AC repair' })
  assert.deepEqual(
    await texts('pages', { termIds: [austin, ohio] }, { termIds: [99_999] }),
    ['Topics and service areas: #99999 (deleted) > Austin, Ohio'].map((text) =>
      text.replace(/^[^:]*/, labelOf({ slug: 'pages', isRoutable: true }, { own: 'termIds' })),
    ),
  )
  const review = await addEntry(db, 'testimonials', { slug: 'r', title: 'Great work' })
  const described = await texts('location_services', {
    data: { service_entry_id: ac, location_term_id: austin, local_testimonials: `${review},x,-1,99999` },
  })
  assert.deepEqual(described.map((text) => text.replace(/^[^:]*: {2}> /, '')).sort(), [
    'AC repair',
    'Austin',
    'Great work, #99999 (deleted)',
  ])
  // A number of another field is not an ID.
  assert.match((await texts('pages', { data: { service_entry_id: ac } }))[0] ?? '', new RegExp(`> ${ac}$`))
})

test('the places of a service are described in words', async (t) => {
  const { db, texts } = await aDescriber(t)
  await addPlaces(db, 'texas/austin')
  const [title, places] = await texts('services', {
    title: 'AC',
    data: { offered_in: ['texas/*', 'austin'] },
  })
  assert.equal(title, 'Title: A > AC')
  assert.match(places ?? '', /: {2}> .*Austin/)
  assert.doesNotMatch(places ?? '', /austin/)
})

test('values have the labels of the editor', () => {
  const page = { slug: 'pages', isRoutable: true }
  const pair = { slug: 'location_services', isRoutable: true }
  const inner = { slug: 'testimonials', isRoutable: false }
  assert.deepEqual([labelOf(page, { own: 'title' }), labelOf(page, { own: 'body' })], ['Title', 'Text'])
  for (const own of ['title', 'body'] as const)
    assert.notEqual(labelOf(pair, { own }), labelOf(page, { own }))
  assert.notEqual(labelOf(inner, { own: 'slug' }), labelOf(page, { own: 'slug' }))
  assert.equal(labelOf(page, { field: 'year', label: 'Year' }), 'Year')
  assert.notEqual(labelOf({ slug: 'services', isRoutable: true }, { field: 'hero', label: 'x' }), 'x')
})

/** A page with its versions, as the screens about it see them. */
async function aVersionedEntry(t: TestContext) {
  const desk = await anAdminPage(t)
  const id = await addEntry(desk.db, 'pages', { slug: 'about', title: 'About' })
  const context = (entry: number | string = id, type = 'pages') =>
    desk.open('/admin', { params: { type, id: String(entry) } })
  const find = async (...asked: Parameters<typeof context>) => {
    const found = await findVersionedEntry(context(...asked))
    assert.ok(found)
    return found
  }
  const contents = () => listVersionContents(desk.db, { kind: 'entry', id }, { limit: 9 })
  return { ...desk, id, context, find, contents }
}

test('the versions of an entry lead back to its editor', async (t) => {
  const { id, db, context, find } = await aVersionedEntry(t)
  const { type, entry, versioned } = await find()
  const self = `/admin/entries/pages/${id}`
  assert.deepEqual([type.slug, entry.id, versioned.subject], ['pages', id, { kind: 'entry', id }])
  assert.partialDeepStrictEqual(versioned, { name: 'About', self, hasPage: true, replacesDraft: true })
  assert.deepEqual(versioned.trail, [
    { href: '/admin/entries/pages', label: 'Pages' },
    { href: self, label: 'About' },
  ])
  assert.partialDeepStrictEqual(versioned.record, { action: 'entry.restored', id })
  assert.match(versioned.record.summary, /“About” in Pages$/)
  const service = await addEntry(db, 'services', { slug: 'ac', title: 'AC' })
  const review = await addEntry(db, 'testimonials', { slug: 'r', title: 'Great' })
  assert.equal((await find(review, 'testimonials')).versioned.hasPage, false)
  for (const [other, slug] of [
    [service, 'pages'],
    [99_999, 'pages'],
    ['x', 'pages'],
    [id, 'nothing'],
  ] as const)
    assert.equal(await findVersionedEntry(context(other, slug)), undefined)
})

test('a version of an entry is compared and restored, whole or in part', async (t) => {
  const { id, db, find, contents, dataDir } = await aVersionedEntry(t)
  await editEntry(db, id, { title: 'Two', body: 'x' })
  await editEntry(db, id, { title: 'Three', body: 'y' }, new Date('2026-11-20T12:30:00.000Z'))
  const [, second, first] = await contents()
  assert.ok(first && second)
  const { versioned } = await find()
  assert.deepEqual(versioned.listLabels(first.content, second.content), ['Title', 'Text'])
  const changes = await versioned.describe(first.content, second.content)
  assert.deepEqual(
    changes.map(({ before, after }) => [before, after]),
    [
      ['About', 'Two'],
      ['', 'x'],
    ],
  )
  assert.equal(await versioned.findShown(), 'none')
  await goLive(dataDir, { pages: [{ path: '/about', entryId: id, key: `entry:${id}` }] })
  assert.notEqual(await versioned.findShown(), 'none')
  const outcome = await versioned.restore(second.version, new Set(['title']))
  assert.deepEqual(outcome, { kind: 'saved', value: { to: versioned.self } })
  const [newest] = await contents()
  assert.partialDeepStrictEqual(newest?.content, { title: 'Two', body: 'y' })
  assert.partialDeepStrictEqual(newest?.version, { source: 'restored', savedBy: 'ann@example.com' })
  await versioned.restore(first.version, undefined)
  assert.partialDeepStrictEqual((await contents())[0]?.content, { title: 'About', body: '' })
  await db.deleteFrom('content_entries').where('id', '=', id).execute()
  assert.equal((await versioned.restore(first.version, undefined)).kind, 'not_found')
})

test('a draft that is scheduled keeps the date of the entry when it is restored', async (t) => {
  const { id, db, find } = await aVersionedEntry(t)
  await draftEntry(db, id, { title: 'New', publishAt: LATER })
  const draft = await findDraft(db, { kind: 'entry', id })
  assert.ok(draft)
  const { versioned } = await find()
  assert.equal(await versioned.findSchedule?.(), LATER)
  assert.partialDeepStrictEqual(await versioned.contentToRestore?.(draft), { title: 'New', publishAt: null })
  await versioned.restore(draft.version, undefined)
  const [newest] = await listVersionContents(db, { kind: 'entry', id }, { limit: 1 })
  assert.partialDeepStrictEqual(newest?.version, { source: 'admin', state: 'saved' })
})
