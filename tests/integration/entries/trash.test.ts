import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { emptyTrash } from '#src/entries/trash/empty-trash.ts'
import { restoreTrashed } from '#src/entries/trash/restore-trashed.ts'
import { deleteContentType, insertContentType } from '#src/entries/types/content-type-store.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { listEntriesNaming } from '#src/pictures/picture-use-store.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import { deleteTerms } from '#src/taxonomies/taxonomy-store.ts'
import { insertTrashed, listTrash } from '#src/versions/trash-store.ts'
import { countVersions, insertVersion, listVersions } from '#src/versions/version-store.ts'
import { sqliteEngine, type TestEngine } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addPlaces } from '../../support/small-site.ts'
import { LATER, NOW, openWorld, type World } from './entry-world.ts'

testTrash(sqliteEngine())
testTrash(postgresEngine())

function testTrash(engine: TestEngine) {
  describe(`the trash on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    const newest = async () => {
      const [trashed] = await listTrash(world.db, { limit: 1 })
      assert.ok(trashed)
      return trashed
    }
    const remove = async (id: number) => {
      const by = { source: 'admin', email: 'ann@example.com' } as const
      assert.equal(await deleteEntry(world.db, id, { now: NOW, by }), true)
      return newest()
    }
    const restore = (id: number) => restoreTrashed(world.db, id, { now: LATER })
    const rowOf = async (id: number) => {
      const { updatedAt: _, ...entry } = await world.entry(id)
      return { ...entry, termIds: await listTermIdsOfEntry(world.db, id) }
    }

    test('a page is restored under its ID with terms, redirects, and versions', async () => {
      const page = { slug: 't-page', title: 'Page', body: 'Text', redirectFrom: ['/t-old'] }
      const id = await world.saved('pages', { ...page, termIds: [world.place('austin')] })
      const row = await rowOf(id)
      const trashed = await remove(id)
      assert.deepEqual(
        [trashed.name, trashed.typeSlug, trashed.deletedBy, trashed.deletedAt],
        ['Page', 'pages', 'ann@example.com', NOW.toISOString()],
      )
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual(await rowOf(id), row)
      assert.equal((await listVersions(world.db, entrySubject(id), { limit: 9 })).length, 1)
      assert.deepEqual(await restore(trashed.id), { kind: 'not_found' })
    })

    test('a service is restored with its local pages, reviews, and former name', async () => {
      const fields = { offered_in: ['texas/*'] }
      const id = await world.saved('services', { slug: 't-former', title: 'Former', fields })
      await world.saved('services', { slug: 't-service', title: 'Service', fields }, id)
      const own = { service_entry_id: id, location_term_id: 'austin', intro: 'Hello' }
      const austin = (await world.offers(id)).find(({ slug }) => slug === 't-service/austin')
      await world.saved('location_services', { fields: own }, austin?.id)
      const review = { author: 'Ann', service: 't-service' }
      const ann = await world.saved('testimonials', { slug: 't-ann', title: 'Ann', fields: review })
      const [service, local] = [await rowOf(id), await rowOf(austin?.id ?? 0)]
      const offers = await world.offers(id)
      const trashed = await remove(id)
      assert.equal(trashed.parts, 2)
      assert.deepEqual(await world.offers(id), [])
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual([await rowOf(id), await rowOf(austin?.id ?? 0)], [service, local])
      assert.deepEqual(await world.offers(id), offers)
      assert.deepEqual(
        offers.map(({ slug, isGenerated }) => [slug, isGenerated]),
        [
          ['t-service/austin', false],
          ['t-service/dallas', true],
        ],
      )
      assert.equal((await world.entry(ann)).data.service, 't-service')
      const names = world.db.selectFrom('former_names').select(['slug', 'name']).where('entry_id', '=', id)
      assert.deepEqual(await names.execute(), [{ slug: 't-former', name: 'Former' }])
    })

    test('a service is restored with today’s names of its form and places', async () => {
      const { db } = world
      const form = await storeForm(db, 't-form')
      await savePublishedAddresses(db, [{ path: '/forms/t-form', key: `form:${form.id}` }])
      const rename = (id: number | undefined, slug: string) =>
        db.updateTable('taxonomy_terms').set({ slug }).where('id', '=', Number(id)).execute()
      const added = async (slug: string, at: Date) => {
        const id = (await addPlaces(db, slug)).get(slug)
        const created_at = at.toISOString()
        await db.updateTable('taxonomy_terms').set({ created_at }).where('id', '=', Number(id)).execute()
        return id
      }
      const [waco, plano] = [await added('waco', NOW), await added('plano', NOW)]
      // A service offered in the second Plano.
      await rename(plano, 'plano-il')
      await added('plano', NOW)
      const fields = { form: 't-form', offered_in: ['waco/**', 'except plano'] }
      const id = await world.saved('services', { slug: 't-names', title: 'Names', fields })
      const trashed = await remove(id)
      await db.updateTable('forms').set({ slug: 't-form-2' }).where('id', '=', form.id).execute()
      await rename(waco, 'waco-tx')
      await added('waco', LATER)
      assert.equal((await restore(trashed.id)).kind, 'saved')
      const { data } = await world.entry(id)
      assert.deepEqual(data, { form: 't-form-2', offered_in: ['waco-tx/**', 'except plano'] })
    })

    test('a restored local page has the slug of its place today', async () => {
      const id = (await addPlaces(world.db, 'frisco')).get('frisco')
      const fields = { offered_in: ['frisco'] }
      const service = await world.saved('services', { slug: 't-gas', title: 'Gas', fields })
      const [page] = await world.offers(service)
      const own = { service_entry_id: service, location_term_id: 'frisco', intro: 'Hello' }
      await world.saved('location_services', { fields: own }, page?.id)
      const trashed = await remove(service)
      await world.db
        .updateTable('taxonomy_terms')
        .set({ slug: 'big-f' })
        .where('id', '=', Number(id))
        .execute()
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.equal((await world.entry(page?.id ?? 0)).slug, 't-gas/big-f')
    })

    test('a testimonial is restored with today’s name of its service', async () => {
      const service = await world.saved('services', { slug: 't-hvac', title: 'HVAC' })
      const fields = { author: 'Jo', service: 't-hvac' }
      const id = await world.saved('testimonials', { slug: 't-jo', title: 'Jo', fields })
      const trashed = await remove(id)
      await world.saved('services', { slug: 't-cooling', title: 'HVAC' }, service)
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual((await world.entry(id)).data, { author: 'Jo', service: 't-cooling' })
    })

    test('a restored page uses its pictures again', async () => {
      const page = { slug: 't-pictures', title: 'Pictures' }
      const id = await world.saved('pages', page)
      const body = { body: '![Roof](roof.jpg)' }
      await world.db.updateTable('content_entries').set(body).where('id', '=', id).execute()
      await restore((await remove(id)).id)
      assert.deepEqual(await listEntriesNaming(world.db, 'roof.jpg', 9), [id])
    })

    test('restoring keeps changes made meanwhile', async () => {
      const id = await world.saved('services', { slug: 't-named', title: 'Named' })
      const fields = { author: 'Bob', service: 't-named' }
      const bob = await world.saved('testimonials', { slug: 't-bob', title: 'Bob', fields })
      const trashed = await remove(id)
      await world.saved('testimonials', { slug: 't-bob', title: 'Bob', fields: { author: 'Rob' } }, bob)
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.equal((await world.entry(bob)).data.service, undefined)
    })

    test('a restored local page is offered there again', async () => {
      const fields = { offered_in: ['austin', 'dallas'] }
      const id = await world.saved('services', { slug: 't-places', title: 'Places', fields })
      const [austin] = await world.offers(id)
      const trashed = await remove(austin?.id ?? 0)
      assert.deepEqual((await world.entry(id)).data.offered_in, ['dallas'])
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual((await world.entry(id)).data.offered_in, ['austin', 'dallas'])
      assert.deepEqual((await world.entry(austin?.id ?? 0)).isGenerated, true)
    })

    test('an entry with a taken slug or missing service stays in the trash with the reason', async () => {
      const id = await world.saved('pages', { slug: 't-taken', title: 'Taken' })
      const trashed = await remove(id)
      await world.saved('pages', { slug: 't-taken', title: 'Another' })
      const outcome = await restore(trashed.id)
      assert.ok(outcome.kind === 'invalid' && outcome.problems[0])
      assert.equal(
        describeProblem(outcome.problems[0]),
        'Another item has the address “t-taken” now. Change that address first.',
      )
      assert.equal((await newest()).id, trashed.id)

      const service = await world.saved('services', { slug: 't-gone', title: 'Gone' })
      const own = { service_entry_id: service, location_term_id: 'tulsa', intro: 'Hello' }
      const page = await remove(await world.saved('location_services', { fields: own }))
      await remove(service)
      const second = await restore(page.id)
      assert.ok(second.kind === 'invalid' && second.problems[0]?.code === 'trash_service_gone')
    })

    test('a service stays in the trash if another item redirects from a former address of its local page now', async () => {
      const fields = { offered_in: ['austin'] }
      const id = await world.saved('services', { slug: 't-moved', title: 'Moved', fields })
      const [austin] = await world.offers(id)
      const own = { service_entry_id: id, location_term_id: 'austin', intro: 'Hello' }
      await world.saved('location_services', { fields: own, redirectFrom: ['/t-moved'] }, austin?.id)
      const trashed = await remove(id)
      const glass = { slug: 't-glass', title: 'Glass', redirectFrom: ['/t-moved'] }
      const other = await world.saved('pages', glass)
      const outcome = await restore(trashed.id)
      assert.equal(outcome.kind === 'invalid' && outcome.problems[0]?.code, 'redirect_taken')
      await world.saved('pages', { ...glass, redirectFrom: [] }, other)
      assert.equal((await restore(trashed.id)).kind, 'saved')
      assert.deepEqual((await world.entry(austin?.id ?? 0)).redirectFrom, ['/t-moved'])
    })

    test('an entry stays in the trash while its type or place is gone', async () => {
      const problemsOf = async (id: number) => {
        const outcome = await restore(id)
        return outcome.kind === 'invalid' ? outcome.problems : outcome.kind
      }
      const values = { description: null, isRoutable: false, detailPartial: null, fields: [], sortOrder: 60 }
      const type = await insertContentType(world.db, 't-type', { ...values, name: 'T', routePattern: null })
      const entry = await remove(await world.saved('t-type', { slug: 't-typed', title: 'T' }))
      await deleteContentType(world.db, type)
      assert.deepEqual(await problemsOf(entry.id), [{ path: [], code: 'trash_type_gone' }])
      const [place] = (await addPlaces(world.db, 't-place')).values()
      const service = await world.saved('services', { slug: 't-there', title: 'There' })
      const own = { service_entry_id: service, location_term_id: 't-place', intro: 'Hello' }
      const page = await remove(await world.saved('location_services', { fields: own }))
      await deleteTerms(world.db, [place ?? 0])
      assert.deepEqual(await problemsOf(page.id), [{ path: [], code: 'trash_place_gone' }])
    })

    test('after 30 days forms and pictures are deleted permanently with their versions', async () => {
      const [form, picture] = (['form', 'picture'] as const).map((kind) => ({ kind, id: 7 }))
      assert.ok(form && picture)
      const saved = { state: 'saved', source: 'admin', savedBy: null, savedAt: NOW.toISOString() } as const
      const written = { ...saved, json: '{}', contentSha256: 'x' }
      for (const subject of [form, picture]) {
        await insertVersion(world.db, subject, written, { isPacked: false })
        const trashed = { typeSlug: 'x', name: 'X', parts: 0, content: {} }
        await insertTrashed(world.db, subject, trashed, { now: NOW.toISOString() })
      }
      await insertVersion(world.db, { ...form, id: 8 }, written, { isPacked: false })
      await emptyTrash(world.db, { now: new Date(NOW.getTime() + 31 * 86_400_000) })
      const counts = [form, picture, { ...form, id: 8 }].map((subject) => countVersions(world.db, subject))
      assert.deepEqual(await Promise.all(counts), [0, 0, 1])
    })

    test('after 30 days an entry is deleted permanently with its versions', async () => {
      const id = await world.saved('pages', { slug: 't-old-page', title: 'Old' })
      const trashed = await remove(id)
      const day = 86_400_000
      await emptyTrash(world.db, { now: new Date(NOW.getTime() + 30 * day) })
      assert.equal((await newest()).id, trashed.id)
      await emptyTrash(world.db, { now: new Date(NOW.getTime() + 30 * day + 1) })
      assert.deepEqual(await listTrash(world.db, { limit: 1 }), [])
      assert.deepEqual(await listVersions(world.db, entrySubject(id), { limit: 1 }), [])
    })
  })
}
