import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { insertChainedEntry } from '#src/auth/audit/audit-store.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { listForms } from '#src/forms/form-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { notePictureUses } from '#src/pictures/picture-use-store.ts'
import { findLogEnd, type LoggedChange, listChangesAfter } from '#src/publish/changes/change-store.ts'
import { loadSelectedDrafts } from '#src/publish/live/selected-drafts.ts'
import { nameSubjects } from '#src/publish/pending/describe-change.ts'
import {
  findNewestChanges,
  listUnpublished,
  loadPending,
  type PendingChange,
} from '#src/publish/pending/pending-changes.ts'
import { entryKey, placeKey } from '#src/site/pages/page-key.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { sourceOfForm, sourceOfPicture, sourcesOfTerm } from '#src/site/sources/page-sources.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { aPicture } from '../../support/pictures.ts'
import { draftEntry, editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'

/** A site of which everything that was added so far is live. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas', 'usa/texas/houston')
  const ids = new Map<string, number>()
  for (const slug of ['deleted', 'edited', 'hidden', 'kept', 'off', 'ready', 'undone'])
    ids.set(slug, await addEntry(db, 'pages', { slug, title: slug }))
  const service = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' }),
  }
  const localPages: { path: string; key: string; entryId: number }[] = []
  for (const slug of ['austin', 'dallas']) {
    const place = { slug, id: places.get(slug) ?? 0 }
    const entryId = await offer(db, service, place, { isGenerated: true })
    localPages.push({ path: `/services/ac-repair/${slug}`, key: placeKey(service, place), entryId })
  }
  const [review, other] = [
    await addEntry(db, 'testimonials', { slug: 'ann', title: 'A review', data: { author: 'Ann' } }),
    await addEntry(db, 'testimonials', { slug: 'bob', title: 'Another review', data: { author: 'Bob' } }),
  ]
  for (const name of ['shop.jpg', 'unused.jpg']) await savePicture(db, aPicture({ name }), { now: NOW })
  const uses = { id: ids.get('kept') ?? 0, body: '![A shop](shop.jpg)', data: {} }
  await notePictureUses(db, [uses], { isNew: true })
  const { id: taxonomyId = 0 } = (await findTaxonomy(db, 'locations')) ?? {}
  const terms = (await listTerms(db, taxonomyId)).map((term) => ({ ...term, kind: term.kind ?? null }))
  const sources = [
    ...terms.flatMap((term) => [...sourcesOfTerm(term)]),
    ...(await listForms(db)).map(sourceOfForm),
    ...['shop.jpg', 'unused.jpg'].map((name) => sourceOfPicture(aPicture({ name }))),
    { key: `service:${service.id}`, label: 'AC repair', hash: 'a' },
    { key: `testimonial:${review}`, label: 'A review', hash: 'a' },
  ]
  await changeSiteSettings(db, { changes: { tagline: 'Cool' } }, { now: new Date(NOW) })
  const position = await findLogEnd(db)
  const shown = ['deleted', 'edited', 'hidden', 'kept', 'undone']
  const pages = shown.map((slug) => {
    const entryId = ids.get(slug) ?? 0
    return { path: `/${slug}`, key: entryKey({ id: entryId }), entryId }
  })
  const publish = (ahead: LoggedChange[] = []) =>
    goLive(dataDir, { facts: { position, ahead }, pages: [...pages, ...localPages], sources })
  const at = (seconds: number) => new Date(Date.parse(position.savedAt) + seconds * 1_000)
  const idOf = (slug: string) => ids.get(slug) ?? places.get(slug) ?? 0
  const load = () => loadPending(db, { dataDir, now: at(0) })
  const list = async () => ((await load())?.changes ?? []).map(inShort)
  return { db, dataDir, idOf, service, review, other, places, position, publish, at, load, list }
}

function inShort({ subject, name, ofSlug, change }: PendingChange): string {
  return [change, subject, name, ...(ofSlug === undefined ? [] : [ofSlug])].join(' ')
}

test('changes are listed with what visitors would see, newest first', async (t) => {
  const { db, idOf, service, review, other, publish, at, load, list } = await aSite(t)
  await publish()
  assert.deepEqual(await load(), { changes: [], hasMore: false })
  await editEntry(db, idOf('edited'), { title: 'Edited' }, at(1))
  await editEntry(db, idOf('hidden'), { status: 'draft' }, at(1))
  await editEntry(db, idOf('off'), { title: 'Added' }, at(1))
  await editEntry(db, idOf('ready'), { status: 'draft' }, at(1))
  await deleteEntry(db, idOf('deleted'), { now: at(1) })
  await editEntry(db, idOf('undone'), { title: 'Other' }, at(1))
  await editEntry(db, idOf('undone'), { title: 'undone' }, at(2))
  await addEntry(db, 'pages', { slug: 'soon', title: 'Soon', publishAt: '2999-01-01T00:00:00.000Z' })
  await editEntry(db, service.id, { body: 'Same day.' }, at(1))
  await editEntry(db, review, { status: 'draft' }, at(1))
  await editEntry(db, other, { status: 'draft' }, at(1))
  assert.deepEqual(await list(), [
    'removed entry A review testimonials',
    'edited entry AC repair services',
    'removed entry deleted pages',
    'added entry Added pages',
    'removed entry hidden pages',
    'edited entry Edited pages',
  ])
})

test('a deleted entry is listed until that is published, even if the trash no longer has it', async (t) => {
  const { db, dataDir, idOf, service, review, publish, at } = await aSite(t)
  await publish()
  for (const id of [idOf('deleted'), review, service.id]) await deleteEntry(db, id, { now: at(1) })
  const later = at(31 * 86_400)
  assert.equal(await emptyTrash(db, { now: later }), 3)
  const pending = await loadPending(db, { dataDir, now: later })
  assert.deepEqual(pending?.changes.map(inShort), [
    'removed entry AC repair services',
    'removed entry A review testimonials',
    'removed entry /deleted',
  ])
})

test('an entry that was deleted and restored is no change, unless it was edited before', async (t) => {
  const { db, idOf, publish, at, list } = await aSite(t)
  await publish()
  await editEntry(db, idOf('edited'), { body: 'New' }, at(1))
  for (const slug of ['edited', 'kept']) {
    assert.ok(await deleteEntry(db, idOf(slug), { now: at(2) }))
    const [trashed] = await listTrash(db, { limit: 1 })
    await restoreTrashedEntry(db, trashed?.id ?? 0, { now: at(3) })
  }
  assert.deepEqual(await list(), ['edited entry edited pages'])
})

test('places, forms, pictures, types, and settings are changes, too', async (t) => {
  const { db, idOf, publish, at, load, list } = await aSite(t)
  await publish()
  await editPlace(db, idOf('austin'), { description: 'The capital.' }, at(1))
  await editPlace(db, idOf('dallas'), { name: 'Big D' }, at(1))
  await editPlace(db, idOf('dallas'), { name: 'Dallas' }, at(2))
  await deleteTerm(db, 'locations', idOf('houston'), { now: at(1) })
  await db.updateTable('forms').set({ name: 'Queue' }).where('slug', '=', 'waitlist').execute()
  await db.updateTable('taxonomies').set({ name: 'Areas' }).where('slug', '=', 'locations').execute()
  await db.updateTable('content_types').set({ name: 'Reviews' }).where('slug', '=', 'testimonials').execute()
  for (const name of ['shop.jpg', 'unused.jpg'])
    await savePicture(db, aPicture({ name, alt: 'A shop' }), { now: NOW })
  await savePicture(db, aPicture({ name: 'logo.jpg' }), { now: NOW })
  const saving = { now: at(1) }
  await changeSiteSettings(db, { changes: { logo: 'logo.jpg', home: { heading: 'Hot?' } } }, saving)
  assert.deepEqual(await list(), [
    'edited setting site',
    'added picture logo.jpg',
    'edited picture shop.jpg',
    'edited type Reviews',
    'edited taxonomy Areas',
    'edited form Queue',
    'removed term Houston',
    'edited term Austin locations',
  ])
  const [settings] = (await load())?.changes ?? []
  assert.deepEqual([settings?.areas, settings?.services], [['settings', 'home'], undefined])
  await savePicture(db, aPicture({ name: 'shop.jpg' }), { now: NOW })
  await db.updateTable('forms').set({ name: 'Waitlist' }).where('slug', '=', 'waitlist').execute()
  for (const name of ['Big D', 'Dallas'])
    await db.updateTable('taxonomy_terms').set({ name }).where('slug', '=', 'dallas').execute()
  const left = await list()
  assert.ok(!left.includes('edited term Dallas locations'))
  assert.ok(left.includes('edited term Austin locations'))
  assert.ok(!left.includes('edited picture shop.jpg') && !left.some((text) => text.startsWith('edited form')))
})

test('a new place is listed with the services that are live there', async (t) => {
  const { db, service, places, publish, at, load } = await aSite(t)
  await publish()
  const added = { slug: 'new', id: await addEntry(db, 'services', { slug: 'new', title: 'New' }) }
  const [drafted, live] = [
    { slug: 'draft', id: 0 },
    { slug: 'heating', id: 0 },
  ]
  for (const [one, status] of [
    [drafted, 'draft'],
    [live, 'published'],
  ] as const)
    one.id = await addEntry(db, 'services', { slug: one.slug, title: one.slug, status })
  await editEntry(db, live.id, { body: 'Warm.' }, at(1))
  const ids = await addPlaces(db, 'canada/toronto', 'canada/ottawa')
  for (const one of [added, drafted, service])
    await offer(db, one, { slug: 'toronto', id: ids.get('toronto') ?? 0 }, { isGenerated: true })
  await editPlace(db, places.get('austin'), { name: 'Austin TX' }, at(1))
  const changes = (await load())?.changes ?? []
  const offered = changes.flatMap(({ subject, name, services }) =>
    subject === 'term' ? [[name, services]] : [],
  )
  assert.deepEqual(offered, [
    ['Austin TX', undefined],
    ['Ottawa', []],
    ['Toronto', ['AC repair']],
    ['Canada', []],
  ])
  assert.ok(changes.every(({ subject, services }) => subject === 'term' || services === undefined))
})

test('a change names the person who made it, unless it came from something else', async (t) => {
  const { db, idOf, publish, at, load } = await aSite(t)
  await publish()
  const audit = (subjectType: string, subjectId: string | number, userEmail: string, seconds: number) =>
    insertChainedEntry(db, {
      ...{ userId: null, userEmail, action: `${subjectType}.changed`, subjectType, subjectId },
      ...{ summary: '', address: '', happenedAt: at(seconds).toISOString(), chainHash: `${seconds}` },
    })
  await editEntry(db, idOf('edited'), { title: 'Edited' }, at(3))
  await editEntry(db, idOf('hidden'), { status: 'draft' }, at(1))
  await deleteEntry(db, idOf('deleted'), { now: at(1) })
  await editEntry(db, idOf('off'), { title: 'Added' }, at(-9))
  await savePicture(db, aPicture({ name: 'shop.jpg', alt: 'A shop' }), { now: NOW })
  const { id: picture } = await db
    .selectFrom('library_pictures')
    .select('id')
    .where('name', '=', 'shop.jpg')
    .executeTakeFirstOrThrow()
  await audit('entry', idOf('edited'), 'earlier@example.com', 2)
  await audit('entry', idOf('hidden'), 'ann@example.com', 2)
  await audit('entry', idOf('deleted'), 'first@example.com', 1)
  await audit('entry', idOf('deleted'), 'bob@example.com', 2)
  await audit('entry', idOf('off'), 'early@example.com', -8)
  await audit('picture', picture, 'cleo@example.com', 4)
  const changes = (await load())?.changes ?? []
  assert.deepEqual(Object.fromEntries(changes.map(({ name, savedBy }) => [name, savedBy])), {
    'shop.jpg': 'cleo@example.com',
    Added: undefined,
    deleted: 'bob@example.com',
    hidden: 'ann@example.com',
    Edited: undefined,
  })
})

test('what was published on its own is no change, until it is saved again', async (t) => {
  const { db, dataDir, idOf, publish, at, list } = await aSite(t)
  assert.equal(await loadPending(db, { dataDir, now: at(0) }), undefined)
  assert.equal(await findNewestChanges(db, { dataDir, now: at(0), limit: 1 }), undefined)
  assert.equal(await listUnpublished(db, { dataDir, now: at(0) }), undefined)
  for (const slug of ['edited', 'kept']) await editEntry(db, idOf(slug), { body: 'New' }, at(1))
  const { id: changeId, savedAt } = await findLogEnd(db)
  const kept = { subject: 'entry' as const, subjectId: `${idOf('kept')}`, changeId, savedAt }
  await publish([{ ...kept, subjectId: '99' }, kept])
  assert.deepEqual(await list(), ['edited entry edited pages'])
  const found = await listUnpublished(db, { dataDir, now: at(0) })
  const [{ subjectId, firstChangeId, ...change } = { subjectId: '', firstChangeId: 0 }] = found?.changes ?? []
  assert.deepEqual([subjectId, found?.hasMore, found?.unseen], [`${idOf('edited')}`, false, 0])
  assert.deepEqual(Object.keys(change).toSorted(), ['change', 'changeId', 'savedAt', 'subject'])
  assert.ok(firstChangeId < changeId)
  const unchanged = await listUnpublished(db, { dataDir, now: at(0), isChanged: false })
  assert.deepEqual(unchanged, { changes: [], hasMore: false, unseen: 0 })
  await editEntry(db, idOf('kept'), { body: 'Newer' }, at(2))
  assert.deepEqual(await list(), ['edited entry kept pages', 'edited entry edited pages'])
  const newest = await findNewestChanges(db, { dataDir, now: at(0), limit: 1 })
  assert.deepEqual(
    [newest?.count, newest?.hasMore, newest?.newest.map(inShort)],
    [2, false, ['edited entry kept pages']],
  )
})

test('an entry and its terms are one change', async (t) => {
  const { db, dataDir, idOf, publish, at } = await aSite(t)
  await publish()
  const log = async (subject: string, subjectId: number) =>
    db
      .insertInto('content_changes')
      .values({ subject, subject_id: `${subjectId}`, action: 'edited' } as never)
      .execute()
  const first = (await findLogEnd(db)).id + 1
  await log('entry_terms', idOf('kept'))
  await log('form_file', 1)
  await log('entry', idOf('kept'))
  const found = await listUnpublished(db, { dataDir, now: at(0) })
  assert.deepEqual(
    found?.changes.map(({ subject, firstChangeId, changeId }) => [subject, firstChangeId, changeId]),
    [['entry', first, first + 2]],
  )
})

test('at most 500 subjects are listed', async (t) => {
  const { db, position, publish, load } = await aSite(t)
  await publish()
  const add = (count: number, from: number) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...{ subject: 'taxonomy', subject_id: `${from + index}`, action: 'removed' },
    }))
    return db
      .insertInto('content_changes')
      .values(rows as never)
      .execute()
  }
  await add(500, 1_000)
  assert.deepEqual(await load(), { changes: [], hasMore: false })
  await add(1, 2_000)
  assert.deepEqual(await load(), { changes: [], hasMore: true })
  assert.equal((await listChangesAfter(db, position, { limit: 10 }))?.length, 11)
  assert.equal(await listChangesAfter(db, { ...position, savedAt: NOW }, { limit: 10 }), undefined)
})

test('the subjects of changes are named, those in the trash as well', async (t) => {
  const { db, idOf, service } = await aSite(t)
  const pair = await offer(db, service, { slug: 'houston', id: idOf('houston') })
  await deleteEntry(db, idOf('deleted'), { now: new Date(NOW) })
  const idIn = async (table: 'forms' | 'taxonomies' | 'content_types', slug: string) =>
    (await db.selectFrom(table).select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
  const changes = [
    ['entry', idOf('kept'), 'kept'],
    ['entry', pair, 'AC repair in Houston'],
    ['entry', idOf('deleted'), 'deleted'],
    ['entry', 9_999, undefined],
    ['term', idOf('austin'), 'Austin'],
    ['form', await idIn('forms', 'waitlist'), 'Waitlist'],
    ['taxonomy', await idIn('taxonomies', 'locations'), 'Locations'],
    ['type', await idIn('content_types', 'pages'), 'Pages'],
    ['picture', 'shop.jpg', 'shop.jpg'],
    ['setting', 'site', undefined],
  ] as const
  const subjects = changes.map(([subject, id]) => ({ subject, subjectId: `${id}` }))
  const nameOf = await nameSubjects(db, subjects)
  assert.deepEqual(
    subjects.map(nameOf),
    changes.map(([, , name]) => name),
  )
})

test('selected drafts are loaded as a publish would show them', async (t) => {
  const { db, idOf, at } = await aSite(t)
  await draftEntry(db, idOf('edited'), { title: 'Not yet' })
  const unfinished = await addEntry(db, 'pages', { slug: 'new', title: 'New', status: 'draft' })
  const heating = {
    slug: 'heating',
    id: await addEntry(db, 'services', { slug: 'heating', data: { offered_in: ['texas/*'] } }),
  }
  const whole = await offer(db, heating, { slug: 'houston', id: idOf('houston') }, { status: 'draft' })
  await saveSettingsDraft(db, { changes: { tagline: 'Later' } }, { now: at(1) })
  const draft = (subject: 'entry' | 'term', id: number) => ({ subject, subjectId: `${id}`, draft: 'a' })
  const { entries, settings } = await loadSelectedDrafts(db, [
    draft('entry', idOf('edited')),
    draft('entry', unfinished),
    draft('entry', whole),
    draft('entry', 9_999),
    draft('term', idOf('kept')),
    { subject: 'entry', subjectId: `${idOf('hidden')}` },
    { subject: 'setting', subjectId: 'site' },
  ])
  assert.equal(settings, undefined)
  assert.deepEqual(
    [...entries].map(([id, { title, status, isGenerated }]) => [id, title, status, isGenerated]),
    [
      [idOf('edited'), 'Not yet', 'published', false],
      [unfinished, 'New', 'published', false],
      [whole, '', 'published', true],
    ],
  )
  const ofSettings = await loadSelectedDrafts(db, [{ subject: 'setting', subjectId: 'site', draft: 'a' }])
  assert.deepEqual([ofSettings.entries.size, ofSettings.settings?.tagline], [0, 'Later'])
})
