import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { listRemovedPages } from '#src/entries/offers/removed-page-store.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { editTerm, loadTaxonomy } from '#src/entries/terms/change-terms.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { restoreTrashed } from '#src/entries/trash/restore-trashed.ts'
import { restoreTrashedTerm } from '#src/entries/trash/restore-trashed-term.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { termSubject } from '#src/taxonomies/record-term.ts'
import { deleteTaxonomy, insertTaxonomy, updateTaxonomy } from '#src/taxonomies/taxonomy-store.ts'
import { deleteTrashed, listTrash } from '#src/versions/trash-store.ts'
import { countVersions } from '#src/versions/version-store.ts'
import { sqliteEngine, type TestEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { soakLength } from '../../support/soak.ts'
import { aService, LATER, NOW, openWorld, type World } from './entry-world.ts'

const order = (names: string[]) => fc.shuffledSubarray(names, { minLength: names.length })
const runsOf = (runs: number) => soakLength(runs, 1_000)

testTrash(sqliteEngine())
testTrash(postgresEngine())

function testTrash(engine: TestEngine) {
  describe(`places in the trash on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    const add = async (text: string) => {
      const added = await addTerms(world.db, 'locations', { text, parentId: null }, { now: NOW })
      assert.equal(added.kind, 'saved', JSON.stringify(added))
    }
    const placeOf = async (slug: string) => {
      const term = (await loadTaxonomy(world.db, 'locations'))?.tree.bySlug.get(slug)
      assert.ok(term, slug)
      return term
    }
    const remove = async (slug: string) => {
      const { id } = await placeOf(slug)
      const by = { source: 'admin', email: 'ann@example.com' } as const
      assert.ok(await deleteTerm(world.db, 'locations', id, { now: NOW, by }))
      const [trashed] = await listTrash(world.db, { limit: 1 })
      assert.ok(trashed)
      return trashed
    }
    const removeAll = async (removals: readonly ((() => Promise<unknown>) | undefined)[]) => {
      const ids: number[] = []
      for (const removal of removals) {
        await removal?.()
        ids.push((await listTrash(world.db, { limit: 1 }))[0]?.id ?? 0)
      }
      return ids
    }
    const restore = (id: number) => restoreTrashed(world.db, id, { now: LATER })
    const codeOf = async (id: number) => {
      const outcome = await restore(id)
      return outcome.kind === 'invalid' ? outcome.problems[0]?.code : outcome.kind
    }
    // All that a place means.
    const rows = async () => {
      const entries = await world.db.selectFrom('content_entries').selectAll().orderBy('slug').execute()
      return {
        terms: await world.db.selectFrom('taxonomy_terms').selectAll().orderBy('id').execute(),
        links: await world.db
          .selectFrom('entry_taxonomy_terms')
          .selectAll()
          .orderBy('entry_id')
          .orderBy('term_id')
          .execute(),
        names: await world.db
          .selectFrom('former_names')
          .select(['term_id', 'entry_id', 'slug', 'name'])
          .orderBy('slug')
          .orderBy('name')
          .execute(),
        entries: entries.map(({ updated_at: _, created_at: _made, ...row }) => row),
      }
    }

    test('a place is restored with its places, pages, links, and former names', async () => {
      await add('Maine\n  Bangor\n    Center')
      const service = await world.saved('services', aService(['maine/**'], { slug: 'm', title: 'M' }))
      const bangor = await placeOf('bangor')
      const written = (await world.offers(service)).find(({ slug }) => slug === 'm/bangor')
      const fields = { service_entry_id: service, location_term_id: 'bangor', intro: 'Hello' }
      await world.saved('location_services', { fields }, written?.id)
      await world.saved('pages', { slug: 'm-page', title: 'P', termIds: [(await placeOf('center')).id] })
      const edit = {
        name: 'Bangor City',
        slug: 'bangor-city',
        description: 'Large',
        parentId: bangor.parentId,
      }
      await editTerm(world.db, 'locations', { termId: bangor.id, edit }, { now: NOW })
      const whole = await rows()
      const trashed = await remove('maine')
      assert.deepEqual([trashed.name, trashed.typeSlug, trashed.parts], ['Maine', 'locations', 2])
      assert.equal((await world.offers(service)).length, 0)
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual(await rows(), whole)
      assert.deepEqual(await restore(trashed.id), { kind: 'not_found' })
    })

    test('a place with a taken slug, or a missing parent or service, stays in the trash with the reason', async () => {
      await add('Ohio\n  Dayton')
      const service = await world.saved('services', aService(['dayton'], { slug: 'o', title: 'O' }))
      const [page] = await world.offers(service)
      const fields = { service_entry_id: service, location_term_id: 'dayton', intro: 'Hello' }
      await world.saved('location_services', { fields }, page?.id)
      const dayton = await remove('dayton')
      const ohio = await remove('ohio')
      assert.equal(await codeOf(dayton.id), 'trash_parent_gone')
      await add('Ohio')
      const refused = await restore(ohio.id)
      assert.deepEqual(refused.kind === 'invalid' && refused.problems, [
        { path: ['slug'], code: 'term_slug_taken', params: { by: 'Ohio' } },
      ])
      await remove('ohio')
      assert.equal(await codeOf(ohio.id), 'saved')
      await deleteEntry(world.db, service, { now: NOW })
      const [trashedService] = await listTrash(world.db, { limit: 1 })
      assert.equal(await codeOf(dayton.id), 'trash_page_service_gone')
      assert.equal(await codeOf(trashedService?.id ?? 0), 'saved')
      assert.equal(await codeOf(dayton.id), 'saved')
      assert.equal((await world.entry(page?.id ?? 0)).data.intro, 'Hello')
    })

    test('a local text for a place in the trash is restored with the place', async () => {
      await add('Iowa\n  Ames')
      const service = await world.saved('services', aService(['ames'], { slug: 'i', title: 'I' }))
      const [page] = await world.offers(service)
      const fields = { service_entry_id: service, location_term_id: 'ames', intro: 'Hello' }
      await world.saved('location_services', { fields }, page?.id)
      await deleteEntry(world.db, service, { now: NOW })
      const [trashedService] = await listTrash(world.db, { limit: 1 })
      const iowa = await remove('iowa')
      assert.equal(await codeOf(trashedService?.id ?? 0), 'trash_page_place_gone')
      assert.equal(await codeOf(iowa.id), 'saved')
      assert.equal(await codeOf(trashedService?.id ?? 0), 'saved')
      assert.equal((await world.entry(page?.id ?? 0)).data.intro, 'Hello')
    })

    test('a restored page follows its service, which has another slug or offers less now', async () => {
      await add('Kansas\n  Wichita\n  Topeka')
      const service = await world.saved('services', aService(['kansas/*'], { slug: 'k', title: 'K' }))
      const [, wichita] = await world.offers(service)
      const fields = { service_entry_id: service, location_term_id: 'wichita', intro: 'Hello' }
      await world.saved('location_services', { fields }, wichita?.id)
      const trashed = await remove('kansas')
      await world.saved('services', aService([], { slug: 'k-new', title: 'K' }), service)
      assert.equal(await codeOf(trashed.id), 'saved')
      assert.deepEqual(
        (await world.offers(service)).map(({ id, slug }) => [id, slug]),
        [[wichita?.id, 'k-new/wichita']],
      )
    })

    test('a generated page keeps its ID if its service and place are deleted, and restored in the same order', async () => {
      await add('Nevada\n  Reno')
      const service = await world.saved('services', aService(['nevada/*'], { slug: 'n', title: 'N' }))
      const [reno] = await world.offers(service)
      const removals = {
        service: () => deleteEntry(world.db, service, { now: NOW }),
        place: () => remove('reno'),
      }
      const orders = [
        ['service', 'place'],
        ['place', 'service'],
      ] as const
      for (const [first, second] of orders) {
        const ids = await removeAll([removals[first], removals[second]])
        for (const id of ids) assert.equal(await codeOf(id), 'saved')
        const offers = (await world.offers(service)).map((offer) => offer.id)
        assert.deepEqual(offers, [reno?.id], `${first} first`)
      }
    })

    test('the IDs of removed pages are kept until their service or place leaves the trash', async () => {
      await add('Vermont\n  Barre\nIowa')
      const service = await world.saved(
        'services',
        aService(['vermont/*', 'iowa'], { slug: 'v', title: 'V' }),
      )
      await world.saved('services', aService([], { slug: 'v', title: 'V' }), service)
      const kept = async () =>
        (await listRemovedPages(world.db, [service])).map(({ locationId }) => locationId).toSorted()
      const [barre, iowa] = [await placeOf('barre'), await placeOf('iowa')]
      assert.deepEqual(await kept(), [barre.id, iowa.id].toSorted())
      await remove('vermont')
      assert.deepEqual(await kept(), [barre.id, iowa.id].toSorted())
      const empty = () => emptyTrash(world.db, { now: new Date(NOW.getTime() + 31 * 86_400_000) })
      await empty()
      assert.deepEqual(await kept(), [iowa.id])
      await deleteEntry(world.db, service, { now: NOW })
      await empty()
      assert.deepEqual(await kept(), [])
    })

    test('a place stays in the trash if another page has the address of its page now', async () => {
      await add('Idaho')
      const service = await world.saved('services', aService([], { slug: 'd', title: 'D' }))
      const fields = { service_entry_id: service, location_term_id: 'idaho', intro: 'Hello' }
      await world.saved('location_services', { fields })
      const trashed = await remove('idaho')
      const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
      const stories = { ...routed, name: 'Stories', routePattern: '/services/{service}/{slug}' }
      await insertContentType(world.db, 'stories', stories)
      await world.saved('stories', { slug: 'd/idaho', title: 'A story' })
      const outcome = await restore(trashed.id)
      assert.deepEqual(outcome.kind === 'invalid' && outcome.problems, [
        { path: [], code: 'trash_page_taken', params: { path: '/services/d/idaho', owner: 'A story' } },
      ])
      assert.equal((await listTrash(world.db, { limit: 1 }))[0]?.id, trashed.id)
    })

    test('a place stays in the trash if another item redirects from a former address of its page now', async () => {
      await add('Hawaii')
      const service = await world.saved('services', aService([], { slug: 'w', title: 'W' }))
      const fields = { service_entry_id: service, location_term_id: 'hawaii', intro: 'Hello' }
      await world.saved('location_services', { fields, redirectFrom: ['/w-old'] })
      const trashed = await remove('hawaii')
      const locks = { slug: 'w-locks', title: 'Locks', redirectFrom: ['/w-old'] }
      const other = await world.saved('pages', locks)
      assert.equal(await codeOf(trashed.id), 'redirect_taken')
      await world.saved('pages', { ...locks, redirectFrom: [] }, other)
      assert.equal(await codeOf(trashed.id), 'saved')
    })

    test('a place is restored without the pages of a service that was deleted permanently', async () => {
      await add('Alaska')
      const service = await world.saved('services', aService([], { slug: 'a', title: 'A' }))
      const fields = { service_entry_id: service, location_term_id: 'alaska', intro: 'Hello' }
      const page = await world.saved('location_services', { fields })
      const trashed = await remove('alaska')
      await deleteEntry(world.db, service, { now: NOW })
      const [trashedService] = await listTrash(world.db, { limit: 1 })
      assert.ok(await deleteTrashed(world.db, trashedService?.id ?? 0))
      assert.equal(await codeOf(trashed.id), 'saved')
      assert.ok(await placeOf('alaska'))
      assert.equal(await findEntryById(world.db, page), undefined)
    })

    test('a term stays in the trash while its taxonomy is gone or has no levels', async () => {
      const values = {
        ...{ name: 'T', description: null, isHierarchical: true, hasArchive: false, sortOrder: 90 },
        appliesToTypeIds: null,
      }
      const id = await insertTaxonomy(world.db, 't-topics', values)
      const text = 'Alpha\n  Beta'
      await addTerms(world.db, 't-topics', { text, parentId: null, serviceIds: [] }, { now: NOW })
      const alpha = (await loadTaxonomy(world.db, 't-topics'))?.tree.roots[0]?.id ?? 0
      await deleteTerm(world.db, 't-topics', alpha, { now: NOW })
      const [trashed] = await listTrash(world.db, { limit: 1 })
      const problems = async () => {
        const outcome = await restore(trashed?.id ?? 0)
        return outcome.kind === 'invalid' ? outcome.problems : outcome.kind
      }
      await updateTaxonomy(world.db, id, { ...values, isHierarchical: false })
      assert.deepEqual(await problems(), [{ path: [], code: 'no_levels' }])
      await deleteTaxonomy(world.db, id)
      assert.deepEqual(await problems(), [{ path: [], code: 'trash_taxonomy_gone' }])
      const page = await world.saved('pages', { slug: 't-no-term', title: 'Page' })
      await deleteEntry(world.db, page, { now: NOW })
      const [entry] = await listTrash(world.db, { limit: 1 })
      const other = await restoreTrashedTerm(world.db, entry?.id ?? 0, { now: NOW })
      assert.deepEqual(other, { kind: 'not_found' })
    })

    test('several pages restored before their place have it again afterwards', async () => {
      await add('Guam')
      const termIds = [(await placeOf('guam')).id]
      const removals = []
      const pages = []
      for (const slug of ['g-one', 'g-two']) {
        const id = await world.saved('pages', { slug, title: slug, termIds })
        pages.push(id)
        removals.push(() => deleteEntry(world.db, id, { now: NOW }))
      }
      const [one = 0, two = 0, guam = 0] = await removeAll([...removals, () => remove('guam')])
      for (const id of [one, two, guam]) assert.equal(await codeOf(id), 'saved')
      for (const id of pages) assert.deepEqual(await listTermIdsOfEntry(world.db, id), termIds)
    })

    test('restoring is exact after random edits', async () => {
      await add('Root\n  Aa\n    Ab\n  Ba\n    Bb')
      await world.saved('services', aService(['root/**'], { slug: 'r', title: 'R' }))
      const names = ['root', 'aa', 'ab', 'ba', 'bb']
      const ids = await Promise.all(names.map(async (name) => (await placeOf(name)).id))
      const runs = runsOf(engine.name === 'SQLite' ? 30 : 15)
      const edit = fc.record({
        subject: fc.nat(4),
        removed: fc.nat(4),
        name: fc.string({ minLength: 1 }),
        slug: fc.nat(20),
      })
      for (const { subject, removed, name, slug } of fc.sample(edit, { numRuns: runs, seed: 20 })) {
        const tree = (await loadTaxonomy(world.db, 'locations'))?.tree
        const term = tree?.byId.get(ids[subject] ?? 0)
        assert.ok(term)
        const values = { name, slug: `r-${slug}`, description: name, parentId: term.parentId }
        await editTerm(world.db, 'locations', { termId: term.id, edit: values }, { now: NOW })
        const whole = await rows()
        const now = (await loadTaxonomy(world.db, 'locations'))?.tree.byId.get(ids[removed] ?? 0)
        const trashed = await remove(now?.slug ?? '')
        assert.equal((await restore(trashed.id)).kind, 'saved')
        assert.deepEqual(await rows(), whole)
      }
    })

    test('links return in any order of deleting and restoring', async () => {
      await add('Nevada\n  Reno')
      const [nevada, reno] = [await placeOf('nevada'), await placeOf('reno')]
      const service = await world.saved('services', { ...aService([], { slug: 'l', title: 'L' }) })
      const termIds = [nevada.id, reno.id]
      const page = await world.saved('pages', { slug: 'l-page', title: 'Page', termIds })
      const review = { author: 'Ann', service: 'l' }
      const ann = await world.saved('testimonials', { slug: 'l-ann', title: 'Ann', fields: review })
      const whole = await rows()
      const removals: Record<string, () => Promise<unknown>> = {
        page: () => deleteEntry(world.db, page, { now: NOW }),
        ann: () => deleteEntry(world.db, ann, { now: NOW }),
        service: () => deleteEntry(world.db, service, { now: NOW }),
        reno: () => remove('reno'),
      }
      const names = Object.keys(removals)
      const orders = fc.sample(fc.tuple(order(names), order(names)), { numRuns: runsOf(12), seed: 20 })
      for (const [removed, restored] of orders) {
        const inTrash = await removeAll(removed.map((name) => removals[name]))
        for (const name of restored) assert.equal(await codeOf(inTrash[removed.indexOf(name)] ?? 0), 'saved')
        assert.deepEqual(await rows(), whole, `${removed} then ${restored}`)
      }
    })

    test('after 30 days a place is deleted permanently, with its versions and those of its pages', async () => {
      await add('Utah')
      const { id } = await placeOf('utah')
      const edit = { name: 'Utah State', slug: 'utah', description: null, parentId: null }
      await editTerm(world.db, 'locations', { termId: id, edit }, { now: NOW })
      const service = await world.saved('services', aService([], { slug: 'u', title: 'U' }))
      const fields = { service_entry_id: service, location_term_id: 'utah', intro: 'Hello' }
      const page = await world.saved('location_services', { fields })
      const trashed = await remove('utah')
      const counts = async () => [
        await countVersions(world.db, termSubject(id)),
        await countVersions(world.db, entrySubject(page)),
        await countVersions(world.db, entrySubject(service)),
      ]
      const [ofTerm, ofPage, ofService] = await counts()
      assert.ok(ofTerm && ofPage && ofService)
      await emptyTrash(world.db, { now: new Date(NOW.getTime() + 31 * 86_400_000) })
      assert.deepEqual(await restore(trashed.id), { kind: 'not_found' })
      assert.deepEqual(await counts(), [0, 0, ofService])
    })
  })
}
