import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { inOrder, orderEntries } from '#src/entries/editing/order-entries.ts'
import { setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { listEntries, updateEntry } from '#src/entries/entry-store.ts'
import { findEntryDraft, saveDraft } from '#src/entries/history/entry-draft.ts'
import { recordAround } from '#src/entries/history/record-entry.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { useDueDrafts } from '#src/entries/history/scheduled-draft.ts'
import { changeOffers } from '#src/entries/offers/change-offers.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { sqliteEngine } from '../../support/database.ts'
import { LATER, NOW, openWorld, type World } from './entry-world.ts'

const ANN = { source: 'admin', email: 'ann@example.com' } as const
const SAVING = { now: LATER, by: ANN }
const OPENING = '2026-11-26T09:00:00.000Z'
const AT_OPENING = new Date('2026-11-26T09:00:02.000Z')
const engine = sqliteEngine()

describe('a draft changes only what its author changed', () => {
  let world: World
  before(async () => {
    world = await openWorld(engine)
  })
  after(() => engine.close())

  async function draft(
    type: string,
    id: number,
    { publishAt = OPENING as string | null, fields = {} as Record<string, unknown> } = {},
  ) {
    const { slug } = await world.entry(id)
    const input = { ...emptyEntryInput(fields), slug, title: 'Next', publishAt }
    const of = { type: await world.type(type), id, input }
    const outcome = await saveDraft(world.db, of, { now: NOW, by: ANN })
    assert.equal(outcome.kind, 'saved', JSON.stringify(outcome))
  }
  const placesOf = async (id: number) => (await world.offers(id)).map(({ locationId }) => locationId)
  const offerInDallas = (id: number) =>
    changeOffers(
      world.db,
      {
        ...{ change: 'add', serviceIds: [id], placeId: world.place('dallas') },
        ...{ reach: 'place', removesWritten: false },
      },
      SAVING,
    )

  test('a scheduled draft keeps a place that Coverage added after it', async () => {
    const fields = { offered_in: ['austin'] }
    const id = await world.saved('services', { slug: 'roof', title: 'Live', fields })
    await draft('services', id, { fields })
    await offerInDallas(id)
    const places = await placesOf(id)
    assert.equal(places.length, 2)
    await useDueDrafts(world.db, { now: AT_OPENING })
    assert.deepEqual(await placesOf(id), places)
  })

  test('“Add to next publish” keeps it too', async () => {
    const fields = { offered_in: ['austin'] }
    const id = await world.saved('services', { slug: 'gutter', title: 'Live', fields })
    await draft('services', id, { fields, publishAt: null })
    await offerInDallas(id)
    const places = await placesOf(id)
    const versionId = (await findEntryDraft(world.db, id))?.version.id ?? 0
    await restoreEntry(world.db, { type: await world.type('services'), id, versionId }, SAVING)
    assert.deepEqual(await placesOf(id), places)
  })

  test('a scheduled draft keeps the new order of services', async () => {
    const type = await world.type('services')
    const first = await world.saved('services', { slug: 'a-first', title: 'A', fields: { position: 1 } })
    const second = await world.saved('services', { slug: 'b-second', title: 'B', fields: { position: 2 } })
    await draft('services', first, { fields: { position: 1 } })
    await orderEntries(world.db, type, [second, first], SAVING)
    const order = async () =>
      inOrder(await listEntries(world.db, type.id))
        .map(({ id }) => id)
        .filter((id) => id === first || id === second)
    assert.deepEqual(await order(), [second, first])
    await useDueDrafts(world.db, { now: AT_OPENING })
    assert.deepEqual(await order(), [second, first])
  })

  test('a page that was taken offline in the list stays offline', async () => {
    const id = await world.saved('pages', { slug: 'offer', title: 'Live' })
    await draft('pages', id)
    const taken = { type: await world.type('pages'), ids: [id], status: 'draft' as const }
    assert.equal((await setEntryStatus(world.db, taken, SAVING)).changed.length, 1)
    await useDueDrafts(world.db, { now: AT_OPENING })
    assert.equal((await world.entry(id)).status, 'draft')
  })

  test('a page restored from the trash is as it was, although its draft is overdue', async () => {
    const id = await world.saved('pages', { slug: 'about', title: 'Live' })
    await draft('pages', id)
    await deleteEntry(world.db, id, SAVING)
    const trashed = await world.db.selectFrom('content_trash').select('id').executeTakeFirstOrThrow()
    const restoredAt = new Date('2026-12-10T09:00:00.000Z')
    const bob = { source: 'admin', email: 'bob@example.com' } as const
    await restoreTrashedEntry(world.db, trashed.id, { now: restoredAt, by: bob })
    const left = await findEntryDraft(world.db, id)
    assert.deepEqual([left?.version.savedBy, left?.snapshot.publishAt], [ANN.email, null])
    await useDueDrafts(world.db, { now: new Date('2026-12-10T09:00:05.000Z') })
    assert.equal((await world.entry(id)).title, 'Live')
  })

  async function aLocalPage(slug: string) {
    const id = await world.saved('services', { slug, title: slug, fields: { offered_in: ['austin'] } })
    const [page] = await world.offers(id)
    assert.ok(page)
    const pair = { service_entry_id: id, location_term_id: page.locationId }
    await draft('location_services', page.id, { fields: pair })
    return { id: page.id, type: await world.type('location_services') }
  }

  test('a draft of a page without its own text keeps the text that a file gave it since', async () => {
    const { id } = await aLocalPage('boiler')
    const page = await world.entry(id)
    const now = LATER.toISOString()
    const written = { ...page, body: 'Local text', isGenerated: false }
    const write = () => updateEntry(world.db, id, written, { now })
    await recordAround(world.db, page, write, { now, by: { source: 'file' } })
    await useDueDrafts(world.db, { now: AT_OPENING })
    const { title, body } = await world.entry(id)
    assert.deepEqual([title, body], ['Next', 'Local text'])
  })

  test('a page without its own text that was turned off stays off', async () => {
    const { id, type } = await aLocalPage('chimney')
    await setEntryStatus(world.db, { type, ids: [id], status: 'draft' }, SAVING)
    await useDueDrafts(world.db, { now: AT_OPENING })
    assert.equal((await world.entry(id)).status, 'draft')
  })

  test('a person can use the draft of a page that was taken offline, which publishes it', async () => {
    const id = await world.saved('pages', { slug: 'story', title: 'Live' })
    await draft('pages', id, { publishAt: null })
    const type = await world.type('pages')
    await setEntryStatus(world.db, { type, ids: [id], status: 'draft' }, SAVING)
    const versionId = (await findEntryDraft(world.db, id))?.version.id ?? 0
    await restoreEntry(world.db, { type, id, versionId }, SAVING)
    const { title, status } = await world.entry(id)
    assert.deepEqual([title, status], ['Next', 'published'])
  })
})
