import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changeOffers, type OfferChange, planOfferChange } from '#src/entries/offers/change-offers.ts'
import { type Coverage, loadCoverage } from '#src/entries/offers/coverage.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import type { TestEngine } from '../../support/database.ts'
import { aService, NOW, openWorld, type World } from './entry-world.ts'

/** The rules of the matrix of services and places, on one engine. */
export function testCovering(engine: TestEngine) {
  describe(`coverage on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    const slugs = async (service: number) =>
      (await world.offers(service)).map(({ slug }) => slug.slice(slug.indexOf('/') + 1))
    const aChange = (change: Partial<OfferChange>, place = 'texas'): OfferChange => ({
      ...{ change: 'add', serviceIds: [], reach: 'branch', removesWritten: false },
      ...{ placeId: world.place(place) },
      ...change,
    })

    test('coverage shows each place’s state and counts all places of a branch', async () => {
      const service = await world.saved('services', aService(['texas/**', 'tulsa']))
      const own = (location_term_id: string, more = {}) => ({
        service_entry_id: service,
        location_term_id,
        ...more,
      })
      const dallas = (await world.offers(service)).find(({ slug }) => slug.endsWith('/dallas'))
      await world.saved(
        'location_services',
        { fields: own('dallas', { phone: '(512) 555-0100' }) },
        dallas?.id,
      )
      const austin = (await world.offers(service)).find(({ slug }) => slug.endsWith('/austin'))
      await world.saved('location_services', { status: 'draft', fields: own('austin') }, austin?.id)
      const texas = await loadCoverage(world.db, { branch: 'texas' })
      assert.deepEqual(rowsOf(texas), {
        texas: ['offered', { offered: 1, overridden: 0, draft: 0, missing: 0 }],
        austin: ['draft', { offered: 1, overridden: 0, draft: 1, missing: 0 }],
        dallas: ['overridden', { offered: 0, overridden: 1, draft: 0, missing: 0 }],
      })
      assert.deepEqual(
        texas?.trail.map(({ slug }) => slug),
        ['usa', 'texas'],
      )
      assert.equal(texas?.rows[2]?.cells[0]?.entryId, dallas?.id)
      const top = await loadCoverage(world.db, {})
      assert.deepEqual(rowsOf(top).oklahoma, ['missing', { offered: 1, overridden: 0, draft: 0, missing: 1 }])
      assert.deepEqual(top?.counts, { offered: 3, overridden: 1, draft: 1, missing: 2 })
      assert.equal(await loadCoverage(world.db, { branch: 'ohio' }), undefined)
    })

    test('pages of a draft service are drafts, in their cells and in every count', async () => {
      const service = await world.saved(
        'services',
        aService(['texas/*'], { slug: 'boilers', title: 'Boilers', status: 'draft' }),
      )
      const before = await loadCoverage(world.db, { branch: 'texas' })
      const cellsOf = (coverage: Coverage | undefined) =>
        coverage?.rows.map(({ cells }) => cells.find(({ serviceId }) => serviceId === service)?.state)
      assert.deepEqual(cellsOf(before), ['missing', 'draft', 'draft'])
      await world.db
        .updateTable('content_entries')
        .set({ status: 'published' })
        .where('id', '=', service)
        .execute()
      const after = await loadCoverage(world.db, { branch: 'texas' })
      assert.deepEqual(cellsOf(after), ['missing', 'offered', 'offered'])
      assert.ok(before && after)
      assert.deepEqual(
        [after.counts.offered - before.counts.offered, after.counts.draft - before.counts.draft],
        [2, -2],
      )
      await world.db.deleteFrom('content_entries').where('service_entry_id', '=', service).execute()
      await world.db.deleteFrom('content_entries').where('id', '=', service).execute()
    })

    test('offering services in a branch previews the number of pages and creates them', async () => {
      const ids = [
        await world.saved('services', aService(['austin'], { slug: 'heating', title: 'Heating' })),
        await world.saved('services', aService([], { slug: 'plumbing', title: 'Plumbing' })),
      ]
      const change = aChange({ serviceIds: ids })
      const plan = await planOfferChange(world.db, change)
      assert.deepEqual([plan?.appear, plan?.vanish], [7, 0])
      assert.deepEqual(await slugs(ids[1] ?? 0), [], 'nothing is written yet')
      await changeOffers(world.db, change, { now: NOW })
      for (const id of ids) {
        assert.deepEqual(await slugs(id), ['austin', 'dallas', 'texas', 'zilker'])
        assert.deepEqual((await world.entry(id)).data.offered_in, ['texas/**'])
      }
      assert.deepEqual((await planOfferChange(world.db, change))?.appear, 0)
    })

    test('removing a branch keeps pages with their own text, unless they are removed too', async () => {
      const service = await world.saved('services', aService(['usa/**'], { slug: 'roof', title: 'Roof' }))
      const zilker = (await world.offers(service)).find(({ slug }) => slug.endsWith('/zilker'))
      const fields = { service_entry_id: service, location_term_id: 'zilker', phone: '(512) 555-0100' }
      await world.saved('location_services', { fields }, zilker?.id)
      const change = aChange({ change: 'remove', serviceIds: [service] })
      const plan = await planOfferChange(world.db, change)
      assert.deepEqual([plan?.vanish, plan?.staying], [3, 1])
      await changeOffers(world.db, change, { now: NOW })
      assert.deepEqual(await slugs(service), ['oklahoma', 'tulsa', 'usa', 'zilker'])
      const all = aChange({ change: 'remove', serviceIds: [service], removesWritten: true }, 'austin')
      assert.deepEqual((await planOfferChange(world.db, all))?.vanish, 1)
      await changeOffers(world.db, all, { now: NOW })
      assert.deepEqual(await slugs(service), ['oklahoma', 'tulsa', 'usa'])
    })

    test('a place removed from its branch can be offered again', async () => {
      const service = await world.saved('services', aService(['texas/**'], { slug: 'attic', title: 'Attic' }))
      const change = { serviceIds: [service], reach: 'place' as const }
      await changeOffers(world.db, aChange({ ...change, change: 'remove' }, 'austin'), { now: NOW })
      assert.deepEqual(await slugs(service), ['dallas', 'texas', 'zilker'])
      await changeOffers(world.db, aChange(change, 'austin'), { now: NOW })
      assert.deepEqual(await slugs(service), ['austin', 'dallas', 'texas', 'zilker'])
      assert.deepEqual((await world.entry(service)).data.offered_in, ['texas/**'])
    })

    test('a service can’t be offered where another type has a page', async () => {
      const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
      const stories = { ...routed, name: 'Stories', routePattern: '/services/{service}/{slug}' }
      await insertContentType(world.db, 'stories', stories)
      await world.saved('stories', { slug: 'roofing/zilker', title: 'A roof' })
      const service = await world.saved('services', aService([], { slug: 'roofing', title: 'Roofing' }))
      const change = aChange({ serviceIds: [service] })
      const plan = await changeOffers(world.db, change, { now: NOW })
      assert.deepEqual(plan?.taken?.params, { path: '/services/roofing/zilker', owner: 'A roof' })
      assert.deepEqual([await slugs(service), (await world.entry(service)).data], [[], { offered_in: [] }])
      await changeOffers(world.db, aChange({ serviceIds: [service] }, 'dallas'), { now: NOW })
      assert.deepEqual(await slugs(service), ['dallas'])
    })

    test('unknown places and entries other than services can’t be offered', async () => {
      const page = await world.saved('pages', { slug: 'about', title: 'About' })
      assert.equal(await planOfferChange(world.db, aChange({ serviceIds: [page] })), undefined)
      const outcome = await changeOffers(world.db, aChange({ serviceIds: [1], placeId: 999 }), { now: NOW })
      assert.equal(outcome, undefined)
    })
  })
}

/** The first service's state and counts by place. */
function rowsOf(coverage: Coverage | undefined) {
  return Object.fromEntries(
    (coverage?.rows ?? []).map(({ place, cells }) => [place.slug, [cells[0]?.state, cells[0]?.counts]]),
  )
}
