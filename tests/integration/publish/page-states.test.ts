import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { listEntryPage } from '#src/entries/entry-list-store.ts'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { moveTerm } from '#src/entries/terms/change-terms.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { type LoggedSubject, listLoggedSubjects } from '#src/publish/pending/logged-subject-store.ts'
import { loadPending } from '#src/publish/pending/pending-changes.ts'
import { listReleases } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { countStates } from '#src/publish/states/count-states.ts'
import { STATE_FILTERS } from '#src/publish/states/entry-state.ts'
import { type LiveSite, withLiveSite } from '#src/publish/states/live-site.ts'
import { loadStates } from '#src/publish/states/load-states.ts'
import { stateCondition } from '#src/publish/states/state-filter-store.ts'
import { listUnseenOffers } from '#src/publish/states/unseen-offers.ts'
import { countContent } from '#src/server/dashboard/count-content.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { placeAfter } from '#src/taxonomies/move-term.ts'
import { findTaxonomy, listTerms } from '#src/taxonomies/taxonomy-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { retireDraft } from '#src/versions/version-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { pgliteEngine } from '../../support/postgres-engine.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { draftEntry, editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

type Site = Parameters<typeof loadStates>[1]
const LATER = '2999-01-01T00:00:00.000Z'
const EARLIER = '2026-01-01T00:00:00.000Z'

/** The states of a type's entries by slug, and what each filter finds. */
async function look(
  db: Kysely<Schema>,
  site: Site,
  { slug, now, unseen }: { slug: string; now: Date; unseen?: ReadonlySet<number> },
) {
  const type = await findContentType(db, slug)
  if (!type) throw new Error(`no type ${slug}`)
  const page = { order: 'slug', limit: 99 } as const
  const entries = await listEntryPage(db, type.id, {}, page)
  const byId = await loadStates(db, site, { type, entries, now })
  const filtered: Record<string, string> = {}
  for (const state of STATE_FILTERS) {
    const matches = await stateCondition(db, site, { type, state, now, ...(unseen && { unseen }) })
    const found = await listEntryPage(db, type.id, { matches }, page)
    filtered[state] = found.map((one) => one.slug).join(' ')
  }
  return { states: Object.fromEntries(entries.map((one) => [one.slug, byId.get(one.id)])), filtered }
}

function keyOf({ subject, subjectId }: LoggedSubject): string {
  return `${subject === 'entry_terms' ? 'entry' : subject}:${subjectId}`
}

async function linkTo(db: Kysely<Schema>, id = 0, placeId = 0) {
  const type = await findContentType(db, 'pages')
  await replaceEntryTerms(db, type?.id ?? 0, new Map([[id, [placeId]]]))
}

async function restoreNewest(db: Kysely<Schema>, now: Date) {
  const [trashed] = await listTrash(db, { limit: 1 })
  const outcome = await restoreTrashedEntry(db, trashed?.id ?? 0, { now })
  assert.equal(outcome.kind, 'saved')
}

async function deleteAndRestore(db: Kysely<Schema>, id = 0) {
  const now = new Date('2026-11-20T12:30:00.000Z')
  assert.ok(await deleteEntry(db, id, { now }))
  await restoreNewest(db, now)
}

test('a page’s state shows whether it is live and what the next publish changes', async (t) => {
  const { db, dataDir, publish, now, service, places } = await aPublishedSite(t)
  const seen = (slug: string) => withLiveSite(dataDir, (site) => look(db, site, { slug, now: now() }))
  const shown = ['away', 'edited', 'kept']
  const ids = new Map<string, number>()
  for (const slug of shown) ids.set(slug, await addEntry(db, 'pages', { slug, title: slug }))
  assert.deepEqual((await seen('pages')).states, { away: 'pending', edited: 'pending', kept: 'pending' })
  await publish()
  assert.deepEqual((await seen('pages')).filtered, {
    live: shown.join(' '),
    pending: '',
    scheduled: '',
    draft: '',
  })

  await deleteAndRestore(db, ids.get('kept'))
  assert.deepEqual((await loadPending(db, { dataDir, now: now() }))?.changes, [])
  await editEntry(db, ids.get('edited') ?? 0, { body: 'Other words' })
  await editEntry(db, ids.get('away') ?? 0, { status: 'draft' })
  const added = await addEntry(db, 'pages', { slug: 'new', title: 'New' })
  await addEntry(db, 'pages', { slug: 'soon', title: 'Soon', publishAt: LATER })
  await addEntry(db, 'pages', { slug: 'unfinished', title: 'Unfinished', status: 'draft' })
  const changed = await seen('pages')
  assert.deepEqual(changed.states, {
    ...{ away: 'removal', edited: 'changed', kept: 'live', new: 'pending' },
    ...{ soon: 'scheduled', unfinished: 'draft' },
  })
  const { live, pending, scheduled, draft } = changed.filtered
  assert.deepEqual([live, pending, scheduled, draft], ['kept', 'away edited new', 'soon', 'unfinished'])
  const counts = await withLiveSite(dataDir, (site) => countStates(db, site, { now: now() }))
  const ofPages = counts.types.find(({ slug }) => slug === 'pages')
  assert.deepEqual([ofPages?.live, ofPages?.pending, ofPages?.scheduled, ofPages?.draft], [1, 2, 1, 2])
  assert.equal(ofPages?.edited, 0)
  await draftEntry(db, ids.get('kept') ?? 0, { title: 'Not yet' })
  const withDraft = await withLiveSite(dataDir, (site) => countStates(db, site, { now: now() }))
  assert.equal(withDraft.types.find(({ slug }) => slug === 'pages')?.edited, 1)
  assert.deepEqual((await seen('pages')).filtered, { ...changed.filtered, draft: 'kept unfinished' })
  await retireDraft(db, { kind: 'entry', id: ids.get('kept') ?? 0 })

  await publish({ starter: { startedBy: 'admin', only: [{ subject: 'entry', subjectId: `${added}` }] } })
  assert.deepEqual((await seen('pages')).filtered.live, 'kept new')
  await publish()
  assert.deepEqual((await seen('pages')).filtered, {
    ...{ live: 'edited kept new', pending: '', scheduled: 'soon', draft: 'away unfinished' },
  })

  const oldest = (await listReleases(dataDir)).at(-1)
  await rollBack(db, { dataDir, starter: { startedBy: 'command' }, to: oldest?.id, now: now() })
  const former = (await seen('pages')).states
  assert.deepEqual([former.away, former.new, former.kept], ['removal', 'pending', 'live'])

  await publish()
  const pairs = ['ac-repair/austin', 'ac-repair/dallas']
  assert.equal((await seen('location_services')).filtered.live, pairs.join(' '))
  await deleteAndRestore(db, service.id)
  assert.deepEqual((await loadPending(db, { dataDir, now: now() }))?.changes, [])
  assert.equal((await seen('location_services')).filtered.live, pairs.join(' '))
  await editPlace(db, places.get('austin'), { name: 'Austin TX' })
  assert.equal((await seen('location_services')).filtered.pending, pairs[0])
  await editEntry(db, service.id, { status: 'draft' })
  assert.deepEqual((await seen('location_services')).states, {
    [`${pairs[0]}`]: 'removal',
    [`${pairs[1]}`]: 'removal',
  })

  const countsOfPairs = async () => {
    const { types } = await withLiveSite(dataDir, (site) => countStates(db, site, { now: now() }))
    const { live, pending, scheduled, draft } = types.find(({ slug }) => slug === 'location_services') ?? {}
    return { live, pending, scheduled, draft }
  }
  await publish()
  assert.deepEqual(await countsOfPairs(), { live: 0, pending: 0, scheduled: 0, draft: 2 })
  assert.equal((await seen('location_services')).filtered.draft, pairs.join(' '))
  await editEntry(db, service.id, { status: 'published', publishAt: LATER })
  await publish()
  assert.deepEqual(await countsOfPairs(), { live: 0, pending: 0, scheduled: 2, draft: 0 })
  assert.equal((await seen('location_services')).filtered.scheduled, pairs.join(' '))
  await editEntry(db, service.id, { publishAt: null, unpublishAt: EARLIER })
  await publish()
  assert.deepEqual(await countsOfPairs(), { live: 0, pending: 0, scheduled: 0, draft: 0 })
  await editEntry(db, service.id, { unpublishAt: null })
  await publish()
  assert.deepEqual(await countsOfPairs(), { live: 2, pending: 0, scheduled: 0, draft: 0 })
})

test('a place that was moved back, and a form that was changed back, are not listed as changes', async (t) => {
  const { db, dataDir, publish, now, places } = await aPublishedSite(t)
  await publish()
  const listed = async () => {
    const pending = await loadPending(db, { dataDir, now: now() })
    return pending?.changes.map(({ name }) => name).toSorted()
  }
  const move = (step: 'up' | 'down') =>
    moveTerm(
      db,
      'locations',
      { termId: places.get('dallas') ?? 0, place: (tree, term) => placeAfter(tree, term, step) },
      { now: now() },
    )
  const rename = (name: string) =>
    db.updateTable('forms').set({ name }).where('slug', '=', 'waitlist').execute()
  await move('up')
  await rename('Queue')
  assert.deepEqual(await listed(), ['Austin', 'Dallas', 'Queue'])
  await move('down')
  assert.deepEqual(await listed(), ['Queue'])
  await rename('Waitlist')
  assert.deepEqual(await listed(), [])
  await editPlace(db, places.get('austin'), { description: 'The capital.' })
  assert.deepEqual(await listed(), ['Austin'])
})

test('a service that stays out of a new place is live, and one that leaves a live place is changed', async (t) => {
  const { db, dataDir, publish, places, service } = await aPublishedSite(t)
  const offer = (...patterns: string[]) =>
    editEntry(db, service.id, { data: { offered_in: patterns } }, new Date())
  const write = (body: string) => editEntry(db, service.id, { body }, new Date())
  const only = (subject: 'term' | 'entry', id = 0) =>
    publish({ starter: { startedBy: 'admin', only: [{ subject, subjectId: `${id}` }] } })
  const states = () =>
    withLiveSite(dataDir, async (site) => {
      const now = new Date()
      if (site === undefined || site === 'unknown') throw new Error('no live site')
      const unseen = await listUnseenOffers(db, site)
      const { states, filtered } = await look(db, site, { slug: 'services', now, unseen })
      const { types } = await countContent(db, { dataDir, now })
      const listed = (await loadPending(db, { dataDir, now }))?.changes.map(({ name }) => name)
      assert.equal(filtered.pending, states['ac-repair'] === 'live' ? '' : 'ac-repair')
      assert.equal(
        types.find(({ slug }) => slug === 'services')?.live,
        states['ac-repair'] === 'live' ? 1 : 0,
      )
      const pairs = await look(db, site, { slug: 'location_services', now })
      return [states['ac-repair'], pairs.states['ac-repair/austin'], listed?.join()]
    })
  await offer('texas/*')
  await publish()
  const parentId = places.get('texas') ?? 0
  const add = async (text: string) => {
    await addTerms(db, 'locations', { text, parentId, serviceIds: [] }, { now: new Date() })
    return (await listTerms(db, (await findTaxonomy(db, 'locations'))?.id ?? 0)).at(-1)?.id
  }
  const buda = await add('Buda')
  assert.deepEqual(await states(), ['live', 'live', 'Buda'])
  await write('Same day.')
  assert.deepEqual(await states(), ['changed', 'changed', 'AC repair,Buda'])
  await only('term', buda)
  assert.deepEqual(await states(), ['changed', 'changed', 'AC repair'])
  await write('')
  assert.deepEqual(
    await states(),
    ['live', 'live', ''],
    'only its patterns differ from the published version',
  )
  await write('Today.')
  await only('entry', service.id)
  await add('Kyle')
  assert.deepEqual(await states(), ['live', 'live', 'Kyle'], 'nor after it was published on its own')
  await offer('texas/*', 'except kyle')
  assert.deepEqual(
    await states(),
    ['changed', 'changed', 'AC repair,Kyle'],
    'visitors don’t see it in Buda yet',
  )
  await offer('texas/*', 'except buda', 'except kyle', 'except austin')
  assert.deepEqual((await states())[0], 'changed')
})

test('a local page whose service left the place and came back is live', async (t) => {
  const { db, dataDir, publish, service } = await aPublishedSite(t)
  const offer = (...patterns: string[]) =>
    editEntry(db, service.id, { data: { offered_in: patterns } }, new Date())
  const lookAt = () =>
    withLiveSite(dataDir, async (site) => {
      const now = new Date()
      const { states, filtered } = await look(db, site, { slug: 'location_services', now })
      const { types } = await countContent(db, { dataDir, now })
      const pages = types.find(({ slug }) => slug === 'location_services')
      return [states['ac-repair/austin'], filtered.pending, pages?.live]
    })
  await db.deleteFrom('content_entries').where('service_entry_id', '=', service.id).execute()
  await offer('austin', 'dallas')
  await publish()
  const live = ['live', '', 2]
  assert.deepEqual(await lookAt(), live)
  for (const back of ['once', 'again']) {
    await offer('dallas')
    await offer('austin', 'dallas')
    assert.deepEqual(await lookAt(), live, back)
  }
  assert.deepEqual(await db.selectFrom('removed_local_pages').selectAll().execute(), [])
  assert.equal((await publish()).plan.changed, 0)
})

for (const engine of [pgliteEngine(), sqliteEngine()]) {
  after(() => engine.close())

  test(`a filter by state finds the matching pages (${engine.name})`, async () => {
    const db = await engine.openMigrated()
    const ids = new Map<string, number>()
    for (const slug of ['back', 'back-edited', 'back-moved', 'edited', 'kept', 'off', 'undone'])
      ids.set(slug, await addEntry(db, 'pages', { slug, title: slug }))
    const places = await addPlaces(db, 'austin', 'dallas')
    await linkTo(db, ids.get('back'), places.get('austin'))
    await linkTo(db, ids.get('back-moved'), places.get('austin'))
    const change = (tagline: string, now = new Date()) =>
      changeSiteSettings(db, { changes: { tagline } }, { now })
    await change('Cool', new Date('2026-11-20T12:00:00.000Z'))
    const position = await findLogEnd(db)
    const was = [...ids.values()]
    const site: LiveSite = {
      ...{ position, ahead: [], shownAt: '2026-11-20T12:00:00.000Z' },
      listLive: (some) => new Set(some.filter((id) => was.includes(id))),
    }
    const now = new Date('2026-11-20T13:00:00.000Z')
    await editEntry(db, ids.get('edited') ?? 0, { body: 'Other words' })
    await editEntry(db, ids.get('off') ?? 0, { status: 'draft' })
    await editEntry(db, ids.get('back-edited') ?? 0, { body: 'Other words' })
    await linkTo(db, ids.get('back-moved'), places.get('dallas'))
    const later = new Date(Date.parse(position.savedAt) + 60_000)
    await editEntry(db, ids.get('undone') ?? 0, { title: 'Other' }, later)
    assert.equal((await look(db, site, { slug: 'pages', now })).states.undone, 'changed')
    await editEntry(db, ids.get('undone') ?? 0, { title: 'undone' }, new Date(later.getTime() + 1_000))
    for (const slug of ['back', 'back-edited', 'back-moved']) await deleteAndRestore(db, ids.get(slug))
    await addEntry(db, 'pages', { slug: 'new', title: 'New' })
    await addEntry(db, 'pages', { slug: 'soon', title: 'Soon', publishAt: LATER })
    const { states, filtered } = await look(db, site, { slug: 'pages', now })
    const pending = 'back-edited back-moved edited new off'
    assert.deepEqual(filtered, { live: 'back kept undone', pending, scheduled: 'soon', draft: '' })
    assert.deepEqual(states, {
      ...{ back: 'live', 'back-edited': 'changed', 'back-moved': 'changed' },
      edited: 'changed',
      kept: 'live',
      new: 'pending',
      off: 'removal',
      soon: 'scheduled',
      undone: 'live',
    })
    await change('Warm', later)
    const listRestored = async () => {
      const logged = await listLoggedSubjects(db, site, { limit: 99, now })
      return [...new Set(logged.flatMap((one) => (one.isRestored ? [keyOf(one)] : [])))]
    }
    const entriesBack = [`entry:${ids.get('back')}`, `entry:${ids.get('undone')}`]
    assert.deepEqual((await listRestored()).toSorted(), entriesBack.toSorted())
    await change('Cool', later)
    assert.deepEqual((await listRestored())[0], 'setting:site')
    const [austin, dallas] = [places.get('austin'), places.get('dallas')]
    const rename = (name: string, at: Date) => editPlace(db, austin, { name }, at)
    await rename('Austin TX', later)
    assert.ok(!(await listRestored()).includes(`term:${austin}`))
    await rename('Austin', new Date(later.getTime() + 1_000))
    assert.equal((await listRestored())[0], `term:${austin}`)
    // Its former position among its siblings is unknown.
    for (const parentId of [austin ?? null, null])
      await editPlace(db, dallas, { parentId }, new Date(later.getTime() + Number(parentId === null)))
    assert.equal((await listRestored())[0], `term:${austin}`)
    const unknown = await look(db, 'unknown', { slug: 'pages', now })
    assert.deepEqual([unknown.states.kept, unknown.states.back], ['published', 'published'])
    assert.equal(unknown.filtered.live, 'back back-edited back-moved edited kept new undone')
    assert.equal(
      (await countStates(db, site, { now })).types.find(({ slug }) => slug === 'pages')?.pending,
      4,
    )
    // Where its deletion was published, a restored page is new.
    const { back: id = 0 } = Object.fromEntries(ids)
    await deleteEntry(db, id, { now })
    const deleted = { ...site, position: await findLogEnd(db), listLive: () => new Set<number>() }
    await restoreNewest(db, now)
    assert.equal((await look(db, deleted, { slug: 'pages', now })).states.back, 'pending')
  })
}
