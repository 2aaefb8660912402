import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { findLogEnd, type LoggedChange } from '#src/publish/changes/change-store.ts'
import { listUnpublished, loadPending } from '#src/publish/pending/pending-changes.ts'
import { countStates } from '#src/publish/states/count-states.ts'
import { stateOf } from '#src/publish/states/entry-state.ts'
import type { LiveSite } from '#src/publish/states/live-site.ts'
import { loadStates } from '#src/publish/states/load-states.ts'
import { listPublishedAlone } from '#src/publish/states/state-filter-store.ts'
import { findUnseenOffers, listUnseenOffers, openOffers } from '#src/publish/states/unseen-offers.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { draftEntry, editEntry } from '../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

type Stated = Parameters<typeof loadStates>[2]['entries'][number]

const NOW = new Date('2026-11-20T12:00:00.000Z')
const [EARLIER, LATER] = ['2026-11-20T11:00:00.000Z', '2026-11-20T13:00:00.000Z']
const PAGES = { slug: 'pages', isRoutable: true } as ContentType
const PAIRS = { slug: 'location_services', isRoutable: true } as ContentType
const SERVICES = { slug: 'services', isRoutable: true } as ContentType
const NOTES = { slug: 'notes', isRoutable: false } as ContentType

const PUBLISHED = { status: 'published', publishAt: null, unpublishAt: null } as const

function anEntry(values: Partial<Stated> = {}): Stated {
  return { id: 1, createdAt: '2026-11-20T09:00:00.000Z', ...PUBLISHED, ...values }
}

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const position = { ...(await findLogEnd(db)), savedAt: '2026-11-20T10:00:00.000Z' }
  const siteWith = (liveIds: readonly number[], ahead: LoggedChange[] = []): LiveSite => ({
    ...{ position, ahead, shownAt: '2026-11-20T10:00:00.000Z' },
    listLive: (ids) => new Set(ids.filter((id) => liveIds.includes(id))),
  })
  const log = async (subject: LoggedChange['subject'], subjectId: number, action = 'edited') => {
    const row = { subject, subject_id: `${subjectId}`, action, saved_at: EARLIER }
    const { id } = await db
      .insertInto('content_changes')
      .values(row as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { subject, subjectId: `${subjectId}`, changeId: Number(id), savedAt: EARLIER }
  }
  const find = async (
    site: Parameters<typeof loadStates>[1],
    type: ContentType,
    entry: Stated,
    unseen?: ReadonlySet<number>,
  ) => (await loadStates(db, site, { type, entries: [entry], now: NOW, unseen })).get(entry.id)
  return { db, siteWith, log, find }
}

test('the state of an entry follows from its dates, its live page, and its changes', () => {
  const states: [Partial<Stated>, isLive: boolean | undefined, isChanged: boolean, state: string][] = [
    [{}, true, false, 'live'],
    [{}, true, true, 'changed'],
    [{}, false, false, 'pending'],
    [{}, undefined, true, 'published'],
    [{ status: 'draft' }, true, false, 'removal'],
    [{ status: 'draft' }, false, true, 'draft'],
    [{ status: 'draft' }, undefined, false, 'draft'],
    [{ publishAt: LATER }, false, false, 'scheduled'],
    [{ publishAt: LATER }, true, false, 'removal'],
    [{ publishAt: NOW.toISOString() }, true, false, 'live'],
    [{ publishAt: EARLIER }, false, false, 'pending'],
    [{ unpublishAt: EARLIER }, false, false, 'ended'],
    [{ unpublishAt: NOW.toISOString() }, undefined, false, 'ended'],
    [{ unpublishAt: LATER }, true, false, 'live'],
    [{ publishAt: EARLIER, unpublishAt: EARLIER }, undefined, false, 'ended'],
  ]
  for (const [entry, isLive, isChanged, state] of states)
    assert.equal(stateOf(anEntry(entry), { isLive, isChanged }, NOW), state, JSON.stringify([entry, isLive]))
})

test('an entry is changed once it is saved, unless that was published on its own', async (t) => {
  const { db, siteWith, log, find } = await aSite(t)
  assert.equal(await find(undefined, PAGES, anEntry()), 'pending')
  assert.equal(await find('unknown', PAGES, anEntry()), 'published')
  assert.deepEqual(await loadStates(db, siteWith([1]), { type: PAGES, entries: [], now: NOW }), new Map())
  assert.equal(await find(siteWith([1]), PAGES, anEntry()), 'live')
  assert.equal(await find(siteWith([2]), PAGES, anEntry()), 'pending')
  await log('term', 1)
  await log('entry', 2)
  assert.equal(await find(siteWith([1]), PAGES, anEntry()), 'live')
  const saved = await log('entry', 1)
  assert.equal(await find(siteWith([1]), PAGES, anEntry()), 'changed')
  assert.equal(await find(siteWith([1], [saved]), PAGES, anEntry()), 'live')
  const other = { ...saved, subject: 'entry_terms' as const }
  assert.equal(await find(siteWith([1], [other]), PAGES, anEntry()), 'changed')
  const again = await log('entry', 1)
  assert.equal(await find(siteWith([1], [saved]), PAGES, anEntry()), 'changed')
  assert.equal(await find(siteWith([1], [again]), PAGES, anEntry()), 'live')
  await log('entry_terms', 1)
  assert.equal(await find(siteWith([1], [again]), PAGES, anEntry()), 'changed')
})

test('a local page changes with its service and its place', async (t) => {
  const { siteWith, log, find } = await aSite(t)
  const service = { id: 5, ...PUBLISHED }
  const pair = (values: Partial<Stated> = {}) => anEntry({ service, placeId: 7, ...values })
  const site = siteWith([1])
  assert.equal(await find(site, PAIRS, pair()), 'live')
  await log('entry', 7)
  await log('term', 5)
  assert.equal(await find(site, PAIRS, pair()), 'live')
  await log('entry', 5)
  assert.equal(await find(site, PAIRS, pair()), 'changed')
  assert.equal(await find(site, PAIRS, pair(), new Set([5])), 'live')
  assert.equal(await find(site, SERVICES, anEntry({ id: 5 }), new Set([5])), 'pending')
  assert.equal(await find(siteWith([5]), SERVICES, anEntry({ id: 5 }), new Set([5])), 'live')
  assert.equal(await find(siteWith([5]), SERVICES, anEntry({ id: 5 })), 'changed')
  const placed = await log('term', 7)
  assert.equal(await find(site, PAIRS, pair(), new Set([5])), 'changed')
  assert.equal(await find(siteWith([1], [placed]), PAIRS, pair(), new Set([5])), 'live')
  assert.equal(await find(site, PAIRS, pair({ placeId: null }), new Set([5])), 'live')
})

test('a local page is shown only with its service', async (t) => {
  const { siteWith, find } = await aSite(t)
  const states: [own: object, ofService: object, isLive: boolean, state: string][] = [
    [{}, { status: 'draft' }, true, 'removal'],
    [{}, { status: 'draft' }, false, 'draft'],
    [{ status: 'draft' }, {}, false, 'draft'],
    [{ publishAt: EARLIER }, { publishAt: LATER }, false, 'scheduled'],
    [{ publishAt: LATER }, { publishAt: EARLIER }, false, 'scheduled'],
    [{ publishAt: LATER }, {}, false, 'scheduled'],
    [{ publishAt: EARLIER }, { publishAt: EARLIER }, true, 'live'],
    [{ unpublishAt: EARLIER }, { unpublishAt: LATER }, false, 'ended'],
    [{ unpublishAt: LATER }, { unpublishAt: EARLIER }, false, 'ended'],
    [{}, { unpublishAt: EARLIER }, true, 'removal'],
    [{ unpublishAt: LATER }, { unpublishAt: LATER }, true, 'live'],
  ]
  for (const [own, ofService, isLive, state] of states) {
    const service = { id: 5, ...PUBLISHED, ...ofService }
    const found = await find(siteWith(isLive ? [1] : []), PAIRS, anEntry({ ...own, service }))
    assert.equal(found, state, JSON.stringify([own, ofService]))
  }
})

test('an entry without a page is live if it was shown when the release was made', async (t) => {
  const { siteWith, find } = await aSite(t)
  const note = (values: Partial<Stated>) => find(siteWith([]), NOTES, anEntry(values))
  assert.equal(await note({}), 'live')
  assert.equal(await note({ createdAt: '2026-11-20T10:00:00.000Z' }), 'live')
  assert.equal(await note({ createdAt: '2026-11-20T10:00:00.001Z' }), 'pending')
  assert.equal(await note({ publishAt: EARLIER }), 'pending')
  assert.equal(await note({ unpublishAt: EARLIER }), 'removal')
  // Other pages show testimonials, so the ledger has them.
  const testimonials = { slug: 'testimonials', isRoutable: false } as ContentType
  assert.equal(await find(siteWith([]), testimonials, anEntry()), 'pending')
})

test('the states of each type are counted, and the drafts of the settings', async (t) => {
  const db = await openTestDatabase(t)
  const position = await findLogEnd(db)
  const site: LiveSite = { position, ahead: [], shownAt: EARLIER, listLive: () => new Set() }
  const count = async (of: LiveSite | 'unknown' | undefined) => {
    const { types, ...others } = await countStates(db, of, { now: NOW })
    const { slug: _, ...pages } = types.find(({ slug }) => slug === 'pages') ?? { slug: '' }
    return { ...pages, ...others }
  }
  const none = { name: 'Pages', live: 0, pending: 0, scheduled: 0, draft: 0, edited: 0 }
  assert.deepEqual(await count(site), { ...none, settingsDrafts: 0, isChanged: false })
  const add = (slug: string, values = {}) => addEntry(db, 'pages', { slug, title: slug, ...values })
  const kept = await add('kept')
  await add('ended', { unpublishAt: EARLIER })
  await add('soon', { publishAt: LATER })
  await add('draft', { status: 'draft' })
  const known = { ...site, position: await findLogEnd(db) }
  const live = { ...none, live: 1, scheduled: 1, draft: 1 }
  assert.deepEqual(await count(known), { ...live, settingsDrafts: 0, isChanged: false })
  await draftEntry(db, kept, { title: 'Not yet' })
  await saveSettingsDraft(db, { changes: { tagline: 'Later' } }, { now: NOW })
  const drafts = { ...live, edited: 1, settingsDrafts: 1 }
  assert.deepEqual(await count(known), { ...drafts, isChanged: false })
  const next = await add('new')
  const { id: changeId, savedAt } = await findLogEnd(db)
  assert.deepEqual(await count(known), { ...drafts, pending: 1, isChanged: true })
  const ahead = [{ subject: 'entry' as const, subjectId: `${next}`, changeId, savedAt }]
  assert.deepEqual(await count({ ...known, ahead }), { ...drafts, live: 2, isChanged: true })
  assert.deepEqual(await count('unknown'), { ...drafts, live: 2, isChanged: false })
  const first = await count(undefined)
  assert.deepEqual([first.live, first.pending], [0, 2])
})

test('local pages count with their service, and entries published alone only until they are saved again', async (t) => {
  const { db, log } = await aSite(t)
  const places = await addPlaces(db, 'austin', 'dallas')
  const services = {
    kept: {},
    draft: { status: 'draft' as const },
    soon: { publishAt: LATER },
    ended: { unpublishAt: EARLIER },
  }
  for (const [slug, values] of Object.entries(services)) {
    const id = await addEntry(db, 'services', { slug, title: slug, ...values })
    for (const [place, placeId] of places) {
      const own = place === 'dallas' && slug === 'draft' ? { status: 'draft' as const } : {}
      await offer(db, { slug, id }, { slug: place, id: placeId }, own)
    }
  }
  const site: LiveSite = {
    ...{ position: await findLogEnd(db), ahead: [], shownAt: NOW.toISOString(), listLive: () => new Set() },
  }
  const { types } = await countStates(db, site, { now: NOW })
  const { name: _, slug: __, ...pairs } = types.find(({ slug }) => slug === 'location_services') ?? {}
  assert.deepEqual(pairs, { live: 2, pending: 0, scheduled: 2, draft: 2, edited: 0 })

  const alone = async (ahead: LoggedChange[]) => (await listPublishedAlone(db, { ...site, ahead })).toSorted()
  const [first, other] = [await log('entry', 901), await log('entry_terms', 902)]
  const term = await log('term', 903)
  assert.deepEqual(await alone([]), [])
  assert.deepEqual(await alone([first, other, term]), [901, 902])
  assert.deepEqual(await alone([term]), [])
  await log('term', 901, 'added')
  assert.deepEqual(await alone([first, other]), [901, 902])
  await log('entry', 902)
  assert.deepEqual(await alone([first, other]), [901])
  const again = await log('entry', 901)
  assert.deepEqual(await alone([first, other]), [])
  assert.deepEqual(await alone([again, other]), [901])
})

/** A service offered in the children of Texas, and a position after which places are added. */
async function aSiteOfOffers(t: TestContext, before: string[] = ['texas/*']) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas')
  const serviceId = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair' })
  const { savedAt: start } = await findLogEnd(db)
  const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1_000)
  const save = (values: Parameters<typeof editEntry>[2], seconds: number) =>
    editEntry(db, serviceId, values, at(seconds))
  await save({ data: { offered_in: before } }, -9)
  const position = { ...(await findLogEnd(db)), savedAt: at(0).toISOString() }
  const live = { position, ahead: [] as LoggedChange[] }
  const add = async (text: string, parent = 'texas') => {
    const parentId = places.get(parent) ?? null
    const outcome = await addTerms(db, 'locations', { text, parentId }, { now: at(1) })
    assert.equal(outcome.kind, 'saved')
    const slug = text.toLowerCase()
    return (await loadTaxonomy(db, 'locations'))?.tree.bySlug.get(slug)?.id ?? 0
  }
  /** What a publish on its own leaves behind. */
  const alone = (subject: LoggedChange['subject'], id: number, seconds: number) => ({
    ...{ subject, subjectId: `${id}`, changeId: 1, savedAt: at(seconds).toISOString() },
  })
  return { db, places, serviceId, live, add, save, at, alone }
}

test('patterns about places that visitors don’t see yet make no difference', async (t) => {
  const { db, places, serviceId, live, add } = await aSiteOfOffers(t)
  const before = ['texas/*', 'except dallas']
  const buda = await add('Buda')
  await add('Kyle')
  const { isSeen, listSeen } = await openOffers(db, live, [serviceId])
  const cases: [after: string[], seen: boolean, left: string[]][] = [
    [before, false, before],
    [[...before, 'except buda'], false, before],
    [[...before, 'except buda', 'except kyle'], false, before],
    [[...before, 'except austin'], true, [...before, 'except austin']],
    [[...before, 'except austin', 'except buda'], true, [...before, 'except austin']],
    [['texas/*'], true, ['texas/*']],
    [[], true, []],
    // The same places, as far as visitors see them.
    [[...before, 'austin'], false, [...before, 'austin']],
    [['except dallas', 'texas/*'], true, ['except dallas', 'texas/*']],
    [[...before, 'nowhere'], true, [...before, 'nowhere']],
    [[...before, 'not a pattern'], true, [...before, 'not a pattern']],
  ]
  for (const [after, seen, left] of cases) {
    const patterns = { serviceId, before, after }
    assert.deepEqual([isSeen(patterns), listSeen(patterns)], [seen, left], after.join())
  }
  // One that was published is a place like the others.
  const term = { subject: 'term' as const, subjectId: `${buda}`, changeId: 1, savedAt: '2999-01-01' }
  const other = { ...term, subject: 'entry' as const, subjectId: `${places.get('austin')}` }
  const published = await openOffers(db, { ...live, ahead: [other, term] }, [serviceId])
  const patterns = { serviceId, before, after: [...before, 'except buda', 'except kyle'] }
  assert.deepEqual(
    [published.isSeen(patterns), published.listSeen(patterns)],
    [true, [...before, 'except buda']],
  )
})

test('a service changed only for new places counts as live', async (t) => {
  const { db, serviceId, live, add, save, alone } = await aSiteOfOffers(t)
  const unseen = async (of = live) => [...(await listUnseenOffers(db, of))]
  const offer = (seconds: number, ...patterns: string[]) => save({ data: { offered_in: patterns } }, seconds)
  assert.deepEqual(await unseen(), [])
  await offer(1, 'texas/*', 'except austin')
  assert.deepEqual(await unseen(), [], 'no place was added')
  const buda = await add('Buda')
  assert.deepEqual(await unseen(), [])
  await offer(2, 'texas/*', 'except buda')
  assert.deepEqual(await unseen(), [serviceId])
  const added = new Set([buda])
  assert.deepEqual(await findUnseenOffers(db, live, { serviceIds: [], added }), new Set())
  assert.deepEqual(await findUnseenOffers(db, live, { serviceIds: [serviceId], added: new Set() }), new Set())
  assert.deepEqual(
    await findUnseenOffers(db, live, { serviceIds: [serviceId, 99], added }),
    new Set([serviceId]),
  )
  await save({ body: 'Same day.' }, 3)
  assert.deepEqual(await unseen(), [], 'its text differs too')
  for (const subject of ['entry', 'entry_terms'] as const)
    assert.deepEqual(await unseen({ ...live, ahead: [alone(subject, serviceId, 3)] }), [])
  await offer(4, 'texas/*')
  for (const subject of ['entry', 'entry_terms'] as const)
    assert.deepEqual(await unseen({ ...live, ahead: [alone(subject, serviceId, 3)] }), [serviceId])
  assert.deepEqual(await unseen({ ...live, ahead: [alone('term', serviceId, 3)] }), [])
  assert.deepEqual(await unseen({ ...live, ahead: [alone('entry', serviceId + 1, 3)] }), [])
  await save({ body: '' }, 5)
  assert.deepEqual(await unseen(), [], 'it is as it was')
})

test('a place that was published on its own has the patterns of that time', async (t) => {
  const { db, serviceId, live, add, save, alone } = await aSiteOfOffers(t)
  const buda = await add('Buda')
  await add('Kyle')
  await save({ data: { offered_in: ['texas/*', 'except buda'] } }, 2)
  await save({ data: { offered_in: ['texas/*', 'except buda', 'except kyle'] } }, 4)
  const unseen = async (seconds: number, ...more: LoggedChange[]) => {
    const ahead = [alone('term', buda, seconds), ...more]
    return (await listUnseenOffers(db, { ...live, ahead })).has(serviceId)
  }
  assert.deepEqual([await unseen(3), await unseen(1)], [true, false])
  // The service was published later.
  assert.equal(await unseen(1, alone('entry', serviceId, 2)), true)
})

test('the services of new places are no changes of their own', async (t) => {
  const { db, serviceId, live, add, save, at } = await aSiteOfOffers(t)
  const dataDir = temporaryFolder(t)
  const sources = [{ key: `service:${serviceId}`, label: 'AC repair', hash: 'a' }]
  await goLive(dataDir, { facts: { position: live.position }, sources })
  const place = { dataDir, now: at(9) }
  const listed = async () => (await loadPending(db, place))?.changes.map(({ name }) => name)
  await add('Buda')
  await save({ data: { offered_in: ['texas/*', 'except buda'] } }, 2)
  assert.deepEqual(await listed(), ['Buda'])
  assert.equal((await listUnpublished(db, place))?.unseen, 1)
  const site = { ...live, shownAt: at(0).toISOString(), listLive: (ids: readonly number[]) => new Set(ids) }
  const service = { id: serviceId, ...PUBLISHED }
  const states = async () => {
    const of = async (type: ContentType, entry: Stated) =>
      (await loadStates(db, site, { type, entries: [entry], now: at(9) })).get(entry.id)
    return [await of(SERVICES, anEntry({ id: serviceId })), await of(PAIRS, anEntry({ id: 99, service }))]
  }
  assert.deepEqual(await states(), ['live', 'live'])
  await save({ body: 'Same day.' }, 3)
  assert.deepEqual(await states(), ['changed', 'changed'])
  assert.deepEqual(await listed(), ['AC repair', 'Buda'])
  assert.equal((await listUnpublished(db, place))?.unseen, 0)
})
