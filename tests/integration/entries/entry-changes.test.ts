import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { toEntryInput } from '#src/entries/editing/entry-input.ts'
import { orderEntries } from '#src/entries/editing/order-entries.ts'
import { setEntryStatus, unscheduleEntry } from '#src/entries/editing/set-entry-status.ts'
import { changeTexts } from '#src/entries/history/change-texts.ts'
import { listDraftsWithPictures } from '#src/entries/history/draft-pictures.ts'
import { asDrafted, findEntryDraft, saveDraft, unscheduleDraft } from '#src/entries/history/entry-draft.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { findDraftProblems } from '#src/entries/history/restore-entry.ts'
import {
  choosePlaceServices,
  listPlaceServices,
  placeServicesVersion,
} from '#src/entries/offers/place-services.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import { planTermRemoval, trashTerms } from '#src/entries/terms/delete-term.ts'
import { findTermUse } from '#src/entries/terms/term-use.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { countVersions, findDraft } from '#src/versions/version-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { aService, LATER, NOW, openWorld, type World } from './entry-world.ts'

const engine = sqliteEngine()
const SAVING = { now: LATER }
let world: World
before(async () => {
  world = await openWorld(engine)
})
after(() => engine.close())

const places = async () => (await loadTaxonomy(world.db, 'locations')) ?? assert.fail()
const placeOf = async (slug: string) => (await places()).tree.bySlug.get(slug) ?? assert.fail(slug)
const offered = async (service: number) => (await world.offers(service)).map(({ slug }) => slug)
const patterns = async (service: number) => (await world.entry(service)).data.offered_in

async function draft(id: number, changes: Partial<EntryInput>) {
  const entry = await world.entry(id)
  const type = await world.type('pages')
  const input = { ...toEntryInput(entry, []), basedOn: undefined, ...changes }
  const outcome = await saveDraft(world.db, { type, id, input }, { now: NOW })
  assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
}

test('services get positions in a new order, and only as many as the order needs', async () => {
  const type = await world.type('services')
  const ids: number[] = []
  for (const slug of ['c-a', 'c-b', 'c-c', 'c-d'])
    ids.push(await world.saved('services', aService([], { slug, title: slug })))
  const [a = 0, b = 0, c = 0, d = 0] = ids
  const order = async (...wanted: number[]) => {
    const changed = await orderEntries(world.db, type, wanted, SAVING)
    const positions = []
    for (const id of ids) positions.push((await world.entry(id)).data.position)
    return [changed.map(({ id }) => id), positions]
  }
  assert.deepEqual(await order(a, b, c, d), [[], [undefined, undefined, undefined, undefined]])
  assert.deepEqual(await order(b, a, 999), [[b], [undefined, 10, undefined, undefined]])
  assert.deepEqual(await order(d, b), [
    [d, b],
    [undefined, 20, undefined, 10],
  ])
  assert.deepEqual(await order(d, b), [[], [undefined, 20, undefined, 10]])
  assert.equal(await countVersions(world.db, entrySubject(b)), 3)
  assert.equal(await countVersions(world.db, entrySubject(a)), 1)
})

test('all texts of an entry change at once, unless it has a draft', async () => {
  const type = await world.type('services')
  const fields = { offered_in: [], short_description: 'Acme repairs' }
  const id = await world.saved('services', { slug: 'c-acme', title: 'By Acme', body: 'Acme!', fields })
  const change = (text: string) => text.replace('Acme', 'Apex')
  assert.equal((await changeTexts(world.db, { type, id, change }, SAVING)).kind, 'saved')
  const { title, body, data, slug } = await world.entry(id)
  assert.deepEqual(
    [title, body, data.short_description, slug],
    ['By Apex', 'Apex!', 'Apex repairs', 'c-acme'],
  )
  assert.equal(await countVersions(world.db, entrySubject(id)), 2)
  const page = await world.saved('pages', { slug: 'c-page', title: 'Acme' })
  await draft(page, { title: 'Draft' })
  const pages = { type: await world.type('pages'), change }
  assert.deepEqual(await changeTexts(world.db, { ...pages, id: page }, SAVING), {
    ...{ kind: 'refused', code: 'has_draft' },
  })
  assert.deepEqual(await changeTexts(world.db, { ...pages, id: 9_999 }, SAVING), { kind: 'not_found' })
})

test('drafts that use a picture are found, however its name is encoded', async () => {
  for (const name of ['c-a-long.jpg', 'c b.jpg'])
    await savePicture(world.db, aPicture({ name }), { now: NOW.toISOString() })
  const ids = []
  for (const slug of ['c-p1', 'c-p2', 'c-p3']) ids.push(await world.saved('pages', { slug, title: slug }))
  const [one = 0, two = 0, three = 0] = ids
  await draft(one, { body: '![a](c-a-long.jpg)' })
  await draft(two, { body: '![a](c%20b.jpg)', fields: { picture: 'c-a-long.jpg' } })
  await draft(three, { body: 'c-a-long.jpg' })
  const found = async (name?: string) => {
    const drafts = await listDraftsWithPictures(world.db, name)
    return drafts.map(({ entry, names }) => [
      entry.id,
      ...['c-a-long.jpg', 'c b.jpg'].map((one) => names.has(one)),
    ])
  }
  const [first, second] = [
    [one, true, false],
    [two, true, true],
  ]
  assert.deepEqual(await found('c-a-long.jpg'), [first, second])
  assert.deepEqual(await found('c b.jpg'), [second])
  assert.deepEqual(await found('long.jpg'), [])
  assert.deepEqual(await found(), [first, second])
})

test('a scheduled entry and its draft lose their date', async () => {
  const type = await world.type('pages')
  const add = (slug: string, publishAt: string | null) =>
    world.saved('pages', { slug, title: slug, publishAt })
  const [later, own] = [LATER.toISOString(), '2026-12-24T10:00:00.000Z']
  const [same, other, due, none] = [
    await add('c-s1', later),
    await add('c-s2', later),
    await add('c-s3', NOW.toISOString()),
    await add('c-s4', null),
  ]
  await draft(same, { title: 'Draft' })
  await draft(other, { title: 'Draft', publishAt: own })
  const unschedule = (id: number, typeOf = type) =>
    unscheduleEntry(world.db, { type: typeOf, id }, { now: NOW })
  assert.equal(await unschedule(same, await world.type('services')), false)
  assert.deepEqual(
    [await unschedule(due), await unschedule(none), await unschedule(9_999)],
    [false, false, false],
  )
  for (const id of [same, other]) {
    assert.equal(await unschedule(id), true)
    const { status, publishAt } = await world.entry(id)
    assert.deepEqual([status, publishAt], ['draft', null])
  }
  const dateOf = async (id: number) => (await findEntryDraft(world.db, id))?.snapshot.publishAt
  assert.deepEqual([await dateOf(same), await dateOf(other)], [null, own])
  const ids = [same, due, none, 9_999]
  const change = await setEntryStatus(world.db, { type, ids, status: 'published' }, SAVING)
  assert.deepEqual(
    [change.status, change.changed.map(({ id }) => id), change.refused],
    ['published', [same], []],
  )
  assert.equal((await world.entry(same)).status, 'published')
})

test('a draft alone loses its date, and has that of its entry', async () => {
  const [live, own] = ['2026-12-01T10:00:00.000Z', '2026-12-24T10:00:00.000Z']
  const id = await world.saved('pages', { slug: 'c-u', title: 'Live', publishAt: live })
  await draft(id, { title: 'Draft', publishAt: own })
  const entry = await world.entry(id)
  const before = await findEntryDraft(world.db, id)
  const { title, publishAt, typeId } = asDrafted(entry, before?.snapshot ?? assert.fail())
  assert.deepEqual([title, publishAt, typeId], ['Draft', own, entry.typeId])
  const versionId = before?.version.id ?? 0
  assert.equal(await unscheduleDraft(world.db, { id: entry.id, versionId: versionId + 1 }, SAVING), false)
  assert.equal(await unscheduleDraft(world.db, { id: entry.id, versionId }, SAVING), true)
  assert.equal(await unscheduleDraft(world.db, { id: entry.id, versionId }, SAVING), false)
  const after = await findEntryDraft(world.db, id)
  assert.deepEqual(after?.snapshot, { ...before?.snapshot, publishAt: live })
  assert.equal(after?.version.savedAt, LATER.toISOString())
  assert.deepEqual(await world.entry(id), entry)
})

test('a draft that became invalid has the problems of a save', async () => {
  const type = await world.type('pages')
  const id = await world.saved('pages', { slug: 'c-v', title: 'Live' })
  await draft(id, { slug: 'c-v-new' })
  const problems = async () => {
    const stored = (await findDraft(world.db, entrySubject(id))) ?? assert.fail()
    return findDraftProblems(world.db, { type, entry: await world.entry(id), draft: stored })
  }
  assert.deepEqual(await problems(), [])
  await world.saved('pages', { slug: 'c-v-new', title: 'Other' })
  assert.deepEqual(await problems(), [
    { path: ['slug'], code: 'entry_slug_taken', params: { slug: 'c-v-new' } },
  ])
})

test('a local page with terms of its own stays customized when it is published', async () => {
  const service = await world.saved('services', aService(['tulsa'], { slug: 'c-terms', title: 'T' }))
  const [page] = await world.offers(service)
  const fields = { service_entry_id: service, location_term_id: 'tulsa' }
  const termIds = [world.place('dallas')]
  await world.saved('location_services', { status: 'draft', fields, termIds }, page?.id)
  const type = await world.type('location_services')
  await setEntryStatus(world.db, { type, ids: [page?.id ?? 0], status: 'published' }, SAVING)
  const { status, isGenerated } = await world.entry(page?.id ?? 0)
  assert.deepEqual([status, isGenerated], ['published', false])
})

test('the services of a place are chosen, unless someone else chose others', async () => {
  const [one, two] = [
    await world.saved('services', aService(['texas/**'], { slug: 'c-one', title: 'One' })),
    await world.saved('services', aService([], { slug: 'c-two', title: 'Two' })),
  ]
  const austin = await placeOf('austin')
  const seen = await listPlaceServices(world.db, austin)
  const own = (list: typeof seen) => list.filter(({ service }) => [one, two].includes(service.id))
  assert.deepEqual(
    own(seen).map(({ isOffered }) => isOffered),
    [true, false],
  )
  const basedOn = placeServicesVersion(seen)
  const choose = (serviceIds: number[], version?: string, placeId = austin.id) =>
    choosePlaceServices(world.db, { placeId, serviceIds, basedOn: version }, SAVING)
  assert.deepEqual(await choose([two], basedOn), { kind: 'saved', value: { added: 1, removed: 1 } })
  assert.deepEqual([await patterns(one), await patterns(two)], [['texas/**', 'except austin'], ['austin']])
  assert.deepEqual(await offered(one), ['c-one/dallas', 'c-one/texas', 'c-one/zilker'])
  assert.deepEqual(await offered(two), ['c-two/austin'])
  assert.equal((await choose([one], basedOn)).kind, 'outdated')
  assert.deepEqual(await choose([two]), { kind: 'saved', value: { added: 0, removed: 0 } })
  assert.deepEqual(await choose([], undefined, 9_999), { kind: 'not_found' })
  assert.notEqual(placeServicesVersion(await listPlaceServices(world.db, austin)), basedOn)
})

test('only the chosen services are offered in new places and those below', async () => {
  const [one, two, three] = [
    await world.saved('services', aService(['texas/**'], { slug: 'c-new1', title: 'One' })),
    await world.saved('services', aService(['texas/**'], { slug: 'c-new2', title: 'Two' })),
    await world.saved('services', aService([], { slug: 'c-new3', title: 'Three' })),
  ]
  const text = 'Waco\n  Bellmead\nElPaso'
  const parentId = world.place('texas')
  await addTerms(world.db, 'locations', { text, parentId, serviceIds: [one, three] }, SAVING)
  assert.deepEqual(
    [await patterns(one), await patterns(two), await patterns(three)],
    [['texas/**'], ['texas/**', 'except waco/**', 'except elpaso/**'], ['waco/**', 'elpaso/**']],
  )
  assert.deepEqual(await offered(three), ['c-new3/bellmead', 'c-new3/elpaso', 'c-new3/waco'])
})

test('places removed by a file go to the trash once, each with those below it', async () => {
  await addTerms(world.db, 'locations', { text: 'Peru\n  Lima\n    Callao\nChile', parentId: null }, SAVING)
  const service = await world.saved('services', aService(['lima/**'], { slug: 'c-peru', title: 'P' }))
  const [peru, lima, callao, chile] = [
    await placeOf('peru'),
    await placeOf('lima'),
    await placeOf('callao'),
    await placeOf('chile'),
  ]
  const page = await world.saved('pages', { slug: 'c-lima', title: 'L', termIds: [lima.id] })
  const { taxonomy } = await places()
  const use = await findTermUse(world.db, taxonomy, lima)
  assert.deepEqual(
    [use.links, use.locationServices.map(({ slug }) => slug), use.addresses, use.webhooks],
    [1, ['c-peru/lima'], taxonomy.hasArchive ? 2 : 1, []],
  )
  const plan = await planTermRemoval(world.db, 'locations', peru.id)
  assert.deepEqual(
    {
      below: plan?.below.map(({ slug }) => slug),
      links: plan?.links,
      pages: plan?.locationServices.map(({ slug }) => slug),
      namedBy: plan?.namedBy,
    },
    {
      below: ['lima', 'callao'],
      links: 1,
      pages: ['c-peru/callao', 'c-peru/lima'],
      namedBy: [{ id: service, title: 'P' }],
    },
  )
  assert.equal(await planTermRemoval(world.db, 'locations', 9_999), undefined)
  const saving = { now: LATER.toISOString(), by: { source: 'file' as const } }
  await trashTerms(world.db, 'locations', [callao.id, lima.id, chile.id, 9_999], saving)
  const trashed = await listTrash(world.db, { limit: 9 })
  assert.deepEqual(
    trashed.map(({ name, parts, source }) => [name, parts, source]),
    [
      ['Chile', 0, 'file'],
      ['Lima', 1, 'file'],
    ],
  )
  assert.deepEqual(await offered(service), [])
  assert.ok(await world.entry(page))
  await trashTerms(world.db, 'none', [peru.id], saving)
  assert.ok(await placeOf('peru'))
})
