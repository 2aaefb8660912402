import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { reconcileLocationServices } from '#src/entries/offers/offer-service.ts'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { editTerm, loadTaxonomy, moveTerm } from '#src/entries/terms/change-terms.ts'
import { deleteTerm, planTermRemoval } from '#src/entries/terms/delete-term.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import type { Outcome } from '#src/lib/outcome.ts'
import { type AdminProblem, describeProblem } from '#src/messages/admin/problems.ts'
import { changeTaxonomy, createTaxonomy, removeTaxonomy } from '#src/taxonomies/change-taxonomy.ts'
import { placeAfter } from '#src/taxonomies/move-term.ts'
import { termSubject } from '#src/taxonomies/record-term.ts'
import { findTaxonomy, type TaxonomyValues } from '#src/taxonomies/taxonomy-store.ts'
import type { TermNode } from '#src/taxonomies/term-tree.ts'
import { listVersions } from '#src/versions/version-store.ts'
import type { TestEngine } from '../../support/database.ts'
import { aService, LATER, openWorld, type World } from '../entries/entry-world.ts'

const clock = { now: LATER }

const aTaxonomy = (values: Partial<TaxonomyValues> = {}): TaxonomyValues => ({
  ...{ name: 'Brands', description: null, isHierarchical: false, appliesToTypeIds: null, sortOrder: 50 },
  hasArchive: false,
  ...values,
})

const treeOf = async ({ db }: World, slug = 'locations') => {
  const found = await loadTaxonomy(db, slug)
  assert.ok(found)
  return found.tree
}

// usa(texas(austin(zilker),dallas),oklahoma(tulsa))
function outlineOf(terms: readonly TermNode[]): string {
  return terms
    .map(({ slug, children }) => slug + (children.length > 0 ? `(${outlineOf(children)})` : ''))
    .join()
}

/** Everything an administrator does with taxonomies, on one engine. */
export function testChanging(engine: TestEngine): void {
  describe(`changing taxonomies on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    // What a content sync would make of the same tree.
    async function checkSynced() {
      const change = await reconcileLocationServices(world.db, { now: LATER.toISOString() })
      assert.deepEqual(change, { added: 0, removed: 0 })
    }

    // Each test begins with places that no test before it has.
    let count = 0
    async function aBranch(outline = 'State\n  City\n    Area\n  Town') {
      const number = ++count
      const text = outline.replace(/(\w+)$/gm, `$1 ${number}`)
      const added = await addTerms(world.db, 'locations', { text, parentId: null }, clock)
      assert.equal(added.kind, 'saved', JSON.stringify(added))
      const tree = await treeOf(world)
      return (name: string) => {
        const term = tree.bySlug.get(`${name}-${number}`)
        assert.ok(term, name)
        return term
      }
    }

    test('an indented list is appended, and services are offered in its places', async () => {
      const term = await aBranch()
      const serviceId = await world.saved(
        'services',
        aService([`${term('state').slug}/**`], { slug: 'a', title: 'A' }),
      )
      assert.equal((await world.offers(serviceId)).length, 4)
      const more = { text: 'Suburb A\n  Park A', parentId: term('city').id }
      const result = await addTerms(world.db, 'locations', more, clock)
      assert.ok(result.kind === 'saved')
      assert.deepEqual(result.value.offers, { added: 2, removed: 0 })
      const [suburb, park] = result.value.added
      assert.deepEqual([suburb?.name, suburb?.parentId], ['Suburb A', term('city').id])
      assert.deepEqual([park?.name, park?.parentId], ['Park A', suburb?.id])
      const branch = (await treeOf(world)).byId.get(term('city').id)
      assert.equal(outlineOf(branch?.children ?? []), `${term('area').slug},suburb-a(park-a)`)
      assert.equal((await world.offers(serviceId)).length, 6)
    })

    test('repeating a list adds nothing, and a list with an error adds nothing at all', async () => {
      const term = await aBranch('Again')
      const { name, id } = term('again')
      const twice = await addTerms(world.db, 'locations', { text: name, parentId: null }, clock)
      assert.ok(twice.kind === 'saved')
      assert.deepEqual(twice.value.added, [])
      const broken = { text: 'Good\nBad | bad slug', parentId: id }
      assert.equal((await addTerms(world.db, 'locations', broken, clock)).kind, 'invalid')
      const lost = { text: 'A', parentId: 999_999 }
      assert.deepEqual(await addTerms(world.db, 'locations', lost, clock), { kind: 'not_found' })
    })

    test('a place added among counties is a county, and one among places of different kinds is automatic', async () => {
      const term = await aBranch()
      const mark = async (place: TermNode, kind: 'county' | 'city') => {
        const { name, slug, description, parentId } = place
        const edit = { name, slug, description, parentId, kind }
        const outcome = await editTerm(world.db, 'locations', { termId: place.id, edit }, clock)
        assert.equal(outcome.kind, 'saved')
      }
      const addKind = async (text: string) => {
        await addTerms(world.db, 'locations', { text, parentId: term('state').id }, clock)
        return (await treeOf(world)).bySlug.get(text.toLowerCase())?.kind
      }
      await mark(term('city'), 'county')
      assert.equal(await addKind('Clare'), null)
      await mark(term('town'), 'county')
      await mark((await treeOf(world)).bySlug.get('clare') as TermNode, 'county')
      assert.equal(await addKind('Kerry'), 'county')
      await mark(term('town'), 'city')
      assert.equal(await addKind('Mayo'), null)
    })

    test('a term moves with its descendants and never below itself', async () => {
      const term = await aBranch()
      const step = (slug: TermNode, verb: 'up' | 'down' | 'indent' | 'outdent') =>
        moveTerm(
          world.db,
          'locations',
          { termId: slug.id, place: (tree, node) => placeAfter(tree, node, verb) },
          clock,
        )
      await step(term('town'), 'up')
      const order = async () => outlineOf([(await treeOf(world)).byId.get(term('state').id) as TermNode])
      const slugs = (names: string) => names.replace(/\w+/g, (name) => term(name).slug)
      assert.equal(await order(), slugs('state(town,city(area))'))
      await step(term('city'), 'indent')
      assert.equal(await order(), slugs('state(town(city(area)))'))
      const cycle = { termId: term('state').id, place: () => ({ parentId: term('area').id, index: 0 }) }
      assert.match(wordsOf(await moveTerm(world.db, 'locations', cycle, clock)), /inside itself/)
      assert.equal(await order(), slugs('state(town(city(area)))'))
    })

    test('moving a place out of a branch removes it from services offered there; its own texts stay', async () => {
      const term = await aBranch()
      const serviceId = await world.saved(
        'services',
        aService([`${term('state').slug}/**`], { slug: 'b', title: 'B' }),
      )
      const result = await moveTerm(
        world.db,
        'locations',
        { termId: term('city').id, place: () => ({ parentId: null, index: 0 }) },
        clock,
      )
      assert.ok(result.kind === 'saved')
      assert.deepEqual(result.value.offers, { added: 0, removed: 2 })
      assert.equal((await world.offers(serviceId)).length, 2)
      await checkSynced()
    })

    test('§2.9 rule 3: a new slug updates local pages and services, and the old one is kept', async () => {
      const term = await aBranch()
      const city = term('city')
      const serviceId = await world.saved(
        'services',
        aService([`${city.slug}/**`], { slug: 'c', title: 'C' }),
      )
      const edit = { name: 'Big City', slug: 'big-city', description: 'Large.', parentId: city.parentId }
      const outcome = await editTerm(world.db, 'locations', { termId: city.id, edit }, clock)
      assert.deepEqual(outcome, { kind: 'saved', value: { added: 0, removed: 0 } })
      assert.deepEqual(
        (await world.offers(serviceId)).map(({ slug }) => slug),
        [`c/${term('area').slug}`, 'c/big-city'],
      )
      assert.deepEqual((await world.entry(serviceId)).data.offered_in, ['big-city/**'])
      await checkSynced()
      const renamed = (await treeOf(world)).byId.get(city.id)
      assert.deepEqual([renamed?.name, renamed?.formerSlugs], ['Big City', [city.slug]])
      const former = world.db
        .selectFrom('former_names')
        .select(['slug', 'name'])
        .where('term_id', '=', city.id)
      assert.deepEqual(await former.execute(), [{ slug: city.slug, name: city.name }])
    })

    test('§2.9 a place can’t be added, renamed, or moved if a local page would collide with another page', async () => {
      const term = await aBranch()
      const city = term('city')
      await world.saved('services', aService([`${term('state').slug}/**`], { slug: 'e', title: 'E' }))
      const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
      const stories = { ...routed, name: 'Stories', routePattern: '/services/e/{slug}' }
      await insertContentType(world.db, 'stories', stories)
      await world.saved('stories', { slug: 'lake', title: 'The lake' })
      const reason = /“The lake” already has the address \/services\/e\/lake/
      const added = await addTerms(world.db, 'locations', { text: 'Lake', parentId: city.id }, clock)
      assert.match(wordsOf(added), reason)
      assert.equal((await treeOf(world)).bySlug.get('lake'), undefined)
      const edit = { name: 'Lake', slug: 'lake', description: null, parentId: city.parentId }
      const edited = await editTerm(world.db, 'locations', { termId: city.id, edit }, clock)
      assert.match(wordsOf(edited), reason)
      await addTerms(world.db, 'locations', { text: 'Lake', parentId: null }, clock)
      const termId = (await treeOf(world)).bySlug.get('lake')?.id ?? 0
      const into = { termId, place: () => ({ parentId: city.id, index: 0 }) }
      const moved = await moveTerm(world.db, 'locations', into, clock)
      assert.match(wordsOf(moved), reason)
      assert.equal((await treeOf(world)).byId.get(termId)?.parentId, null)
      await checkSynced()
    })

    test('a slug that another term has is refused', async () => {
      const term = await aBranch()
      const edit = { name: 'X', slug: term('town').slug, description: null, parentId: term('state').id }
      const outcome = await editTerm(world.db, 'locations', { termId: term('city').id, edit }, clock)
      const problem = { path: ['slug'], code: 'term_slug_taken', params: { by: term('town').name } }
      assert.deepEqual(outcome, { kind: 'invalid', problems: [problem] })
    })

    test('§2.7 deleting a term lists and deletes its descendants, links, and local pages', async () => {
      const term = await aBranch()
      const serviceId = await world.saved(
        'services',
        aService([`${term('state').slug}/**`], { slug: 'd', title: 'D' }),
      )
      await world.saved('pages', { slug: 'p', title: 'P', termIds: [term('area').id] })
      const written = (await world.offers(serviceId)).find(({ slug }) => slug === `d/${term('area').slug}`)
      const pair = { service_entry_id: serviceId, location_term_id: term('area').slug }
      await world.saved('location_services', { body: 'Own', fields: pair }, written?.id)
      const plan = await planTermRemoval(world.db, 'locations', term('city').id)
      assert.deepEqual(
        [plan?.below.length, plan?.links, plan?.locationServices.length, plan?.namedBy.length],
        [1, 1, 2, 0],
      )
      await deleteTerm(world.db, 'locations', term('city').id, clock)
      const tree = await treeOf(world)
      assert.equal(tree.byId.has(term('city').id) || tree.byId.has(term('area').id), false)
      assert.deepEqual(
        (await world.offers(serviceId)).map(({ slug }) => slug),
        [`d/${term('state').slug}`, `d/${term('town').slug}`],
      )
      assert.equal(await findEntryById(world.db, written?.id ?? 0), undefined)
      assert.equal(await deleteTerm(world.db, 'locations', term('city').id, clock), undefined)
    })

    test('a taxonomy is created once, stays hierarchical while it has levels, and is deleted with its terms', async () => {
      assert.equal(
        (await createTaxonomy(world.db, 'brands', aTaxonomy({ isHierarchical: true }))).kind,
        'saved',
      )
      assert.match(wordsOf(await createTaxonomy(world.db, 'brands', aTaxonomy())), /is taken/)
      await addTerms(world.db, 'brands', { text: 'Acme\n  Acme Home', parentId: null }, clock)
      const flat = await changeTaxonomy(world.db, 'brands', { values: aTaxonomy() })
      assert.match(wordsOf(flat), /Some categories have a parent/)
      const opened = aTaxonomy({ isHierarchical: true, hasArchive: true, name: 'Makers' })
      assert.equal((await changeTaxonomy(world.db, 'brands', { values: opened })).kind, 'saved')
      assert.equal((await findTaxonomy(world.db, 'brands'))?.hasArchive, true)
      const ids = [...(await treeOf(world, 'brands')).byId.keys()]
      const versions = () =>
        Promise.all(ids.map((id) => listVersions(world.db, termSubject(id), { limit: 9 })))
      assert.equal((await versions()).flat().length, 2)
      assert.equal((await removeTaxonomy(world.db, 'brands')).kind, 'saved')
      assert.deepEqual(await versions(), [[], []])
      assert.equal((await removeTaxonomy(world.db, 'brands')).kind, 'not_found')
      assert.equal((await changeTaxonomy(world.db, 'brands', { values: opened })).kind, 'not_found')
    })

    test('§2.6 a taxonomy applies to a type while that type’s entries have its terms', async () => {
      const [pages, services] = [await world.type('pages'), await world.type('services')]
      await createTaxonomy(world.db, 'topics', aTaxonomy())
      await addTerms(world.db, 'topics', { text: 'News', parentId: null }, clock)
      const news = (await treeOf(world, 'topics')).bySlug.get('news')
      assert.ok(news)
      const page = { slug: 'today', title: 'Today' }
      const id = await world.saved('pages', { ...page, termIds: [news.id] })
      const narrowed = { values: aTaxonomy({ appliesToTypeIds: [services.id] }) }
      const problem = { path: ['applies'], code: 'classifies', params: { types: [pages.name] } }
      const refused = { kind: 'invalid', problems: [problem] }
      assert.deepEqual(await changeTaxonomy(world.db, 'topics', narrowed), refused)
      assert.equal((await findTaxonomy(world.db, 'topics'))?.appliesToTypeIds, null)
      const named = { values: aTaxonomy({ appliesToTypeIds: [pages.id] }) }
      assert.equal((await changeTaxonomy(world.db, 'topics', named)).kind, 'saved')
      await world.saved('pages', { ...page, termIds: [] }, id)
      assert.equal((await changeTaxonomy(world.db, 'topics', narrowed)).kind, 'saved')
      assert.equal((await removeTaxonomy(world.db, 'topics')).kind, 'saved')
    })

    test('§2.6 a built-in taxonomy can’t be deleted', async () => {
      assert.deepEqual(await removeTaxonomy(world.db, 'locations'), { kind: 'refused', code: 'builtin' })
      assert.ok(await findTaxonomy(world.db, 'locations'))
    })
  })
}

/** The sentences of what is wrong. */
function wordsOf(outcome: Outcome<unknown, AdminProblem, string>): string {
  return outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : outcome.kind
}
