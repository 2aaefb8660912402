import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteEntry, planRemoval } from '#src/entries/editing/delete-entry.ts'
import { loadListPage, readListQuestion } from '#src/entries/editing/list-page.ts'
import { setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { resetLocationService } from '#src/entries/offers/reset-location-service.ts'
import { insertContentType } from '#src/entries/types/content-type-store.ts'
import { filledText } from '#src/lib/filled-text.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { findTaxonomy, updateTaxonomy } from '#src/taxonomies/taxonomy-store.ts'
import type { TestEngine } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { aService, LATER, NOW, openWorld, type World } from './entry-world.ts'

/** The rules of saving and deleting entries, on one engine. */
export function testSaving(engine: TestEngine) {
  describe(`saving entries on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld(engine)
    })
    after(() => engine.close())

    test('an entry is created with its type’s fields and edited under its ID', async () => {
      const id = await world.saved('pages', {
        slug: 'about',
        title: 'About',
        body: 'We are *here*.',
        fields: { summary: 'Who we are' },
      })
      const again = await world.saved('pages', { slug: 'about-us', title: 'About us', status: 'draft' }, id)
      const { slug, title, status, body, data } = await world.entry(id)
      assert.deepEqual(
        [again, slug, title, status, body, data],
        [id, 'about-us', 'About us', 'draft', '', {}],
      )
    })

    test('every error is reported at once, at its field', async () => {
      await insertContentType(world.db, 'projects', {
        name: 'Projects',
        description: null,
        isRoutable: true,
        routePattern: '/projects/{year}/{slug}',
        detailPartial: null,
        fields: [
          { key: 'rooms', label: 'Rooms', type: 'number', required: true },
          { key: 'site', label: 'Site', type: 'url' },
          { key: 'done_on', label: 'Done on', type: 'date' },
          {
            key: 'steps',
            label: 'Steps',
            type: 'list',
            fields: [{ key: 'title', label: 'Title', type: 'text', required: true }],
          },
        ],
        sortOrder: 50,
      })
      const fields = { site: 'example.com', done_on: '2026-02-30', steps: [{ title: 'One' }, {}] }
      const outcome = await world.save('projects', { slug: 'House', fields })
      assert.equal(outcome.kind, 'invalid')
      assert.deepEqual(Object.keys(outcome.errors).sort(), [
        ...['done_on', 'rooms', 'site', 'slug', 'steps.1.title', 'title'],
      ])
      assert.match(outcome.errors.slug?.[0] ?? '', /2 parts/)
      assert.match(outcome.errors.rooms?.[0] ?? '', /Rooms is missing/)
    })

    test('a title and a required text need visible characters', async () => {
      const outcome = await world.save('services', {
        slug: 'a',
        title: '\u200b \u2060',
        fields: { summary: 'A' },
      })
      assert.deepEqual(outcome.kind === 'invalid' && outcome.errors, { title: ['Enter a title.'] })
      assert.equal(filledText.safeParse('\u200b').error?.issues[0]?.message, 'filled_text')
      assert.ok(filledText.safeParse(' a\u200b').success)
    })

    test('a list ignores invalid filters in its URL', async () => {
      await world.saved('pages', { slug: 'eclair', title: 'Éclair und mehr' })
      const type = await world.type('pages')
      const found = async (query: string) =>
        (await loadListPage(world.db, type, readListQuestion(new URLSearchParams(query)))).entries.length
      for (const query of [
        'q=Éclair',
        'q=ÉCLAIR',
        'q=éclair',
        'q=MEHR',
        'q=ecl%00air',
        'q=eclair&term=1e400',
        'q=eclair&term=1.5',
      ])
        assert.equal(await found(query), 1, query)
      assert.equal(await found(`q=eclair&after=${'9'.repeat(40)}.about`), 1)
    })

    test('a taken address is refused with the page that has it', async () => {
      const fields = { fields: {}, redirectFrom: ['/old-team', '/staff/'] }
      const id = await world.saved('pages', { slug: 'people', title: 'Our people', ...fields })
      const other = { slug: 'crew', title: 'Crew', redirectFrom: ['/crew-old', '/staff'] }
      const outcome = await world.save('pages', other)
      assert.deepEqual(outcome.kind === 'invalid' && outcome.errors, {
        redirect_from: ['“/staff” already redirects to “Our people”. Remove that redirect first.'],
      })
      await world.saved('pages', { slug: 'people', title: 'Our people', ...fields }, id)
    })

    test('addresses that differ only in case collide, and both pages are named', async () => {
      const redirectFrom = ['/Shop', '/SHOP']
      const id = await world.saved('pages', { slug: 'shop', title: 'Our shop', redirectFrom: ['/Shop'] })
      const outcome = await world.save('pages', { slug: 'store', title: 'Store', redirectFrom: ['/shop/'] })
      assert.deepEqual(outcome.kind === 'invalid' && outcome.errors, {
        redirect_from: [
          '“/shop” already redirects to “Our shop” (entered there as “/Shop”). Remove that redirect first.',
        ],
      })
      await world.saved('pages', { slug: 'shop', title: 'Our shop', redirectFrom }, id)
      assert.deepEqual((await world.entry(id)).redirectFrom, redirectFrom)
    })

    test('a time that doesn’t sort chronologically is refused', async () => {
      for (const publishAt of ['tomorrow 5', '2026-11-20T08:00:00+02:00', '+012026-11-20T08:00:00.000Z']) {
        const outcome = await world.save('pages', { slug: 'soon', title: 'Soon', publishAt })
        assert.ok(outcome.kind === 'invalid' && outcome.errors.publish_at, publishAt)
      }
    })

    for (const [slug, message] of [
      ['services', /Signpost uses the address/],
      ['admin', /Signpost uses the address/],
      ['About', /lowercase/],
      ['a/b', /slashes/],
      ['', /Enter an address/],
    ] as const) {
      test(`a page cannot have the slug "${slug}"`, async () => {
        const outcome = await world.save('pages', { slug, title: 'Page' })
        assert.match((outcome.kind === 'invalid' && outcome.errors.slug?.[0]) || '', message)
      })
    }

    test('another type’s address is refused; for drafts, once they are published', async () => {
      const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
      await insertContentType(world.db, 'offers', { ...routed, name: 'Offers', routePattern: '/{offer}' })
      await world.saved('pages', { slug: 'summer', title: 'Summer' })
      const outcome = await world.save('offers', { slug: 'summer', title: 'Summer sale' })
      assert.match((outcome.kind === 'invalid' && outcome.errors.slug?.[0]) || '', /“Summer” already has/)
      const id = await world.saved('offers', { slug: 'summer', title: 'Summer sale', status: 'draft' })
      const type = await world.type('offers')
      const change = await setEntryStatus(world.db, { type, ids: [id], status: 'published' }, { now: NOW })
      assert.deepEqual([change.changed.length, change.refused.length], [0, 1])
      assert.equal((await world.entry(id)).status, 'draft')
    })

    test('a status change applies only to entries of its own type', async () => {
      const page = await world.saved('pages', { slug: 'history', title: 'History' })
      const service = await world.saved('services', aService([], { slug: 'paint', title: 'Paint' }))
      const change = await setEntryStatus(
        world.db,
        { type: await world.type('pages'), ids: [page, service], status: 'draft' },
        { now: NOW },
      )
      assert.deepEqual([change.changed.map(({ id }) => id), change.refused], [[page], []])
      assert.equal((await world.entry(service)).status, 'published')
    })

    test('a concurrent change isn’t overwritten', async () => {
      const id = await world.saved('pages', { slug: 'team', title: 'Team' })
      const { updatedAt } = await world.entry(id)
      await setEntryStatus(
        world.db,
        { type: await world.type('pages'), ids: [id], status: 'draft' },
        { now: LATER },
      )
      const outcome = await world.save('pages', { slug: 'team', title: 'Us', basedOn: updatedAt }, id)
      assert.equal(outcome.kind, 'outdated')
      assert.equal((await world.entry(id)).title, 'Team')
    })

    test('§2.6 only terms of taxonomies that apply to the type are accepted; existing others stay', async () => {
      const austin = world.place('austin')
      const id = await world.saved('pages', { slug: 'texas', title: 'Texas', termIds: [austin, 999] })
      assert.deepEqual(await listTermIdsOfEntry(world.db, id), [austin])
      const locations = await findTaxonomy(world.db, 'locations')
      assert.ok(locations)
      const services = await world.type('services')
      await updateTaxonomy(world.db, locations.id, { ...locations, appliesToTypeIds: [services.id] })
      await world.saved('pages', { slug: 'texas', title: 'Texas', termIds: [world.place('dallas')] }, id)
      assert.deepEqual(await listTermIdsOfEntry(world.db, id), [austin])
      await updateTaxonomy(world.db, locations.id, { ...locations, appliesToTypeIds: null })
    })

    test('terms can be entered by name if there are too many for checkboxes', async () => {
      const id = await world.saved('pages', {
        slug: 'places',
        title: 'Places',
        namedTerms: { locations: ['Austin', 'tulsa'] },
      })
      assert.deepEqual(await listTermIdsOfEntry(world.db, id), [world.place('austin'), world.place('tulsa')])
      const outcome = await world.save('pages', {
        slug: 'nowhere',
        title: 'Nowhere',
        namedTerms: { locations: ['Atlantis'] },
      })
      assert.ok(outcome.kind === 'invalid' && outcome.errors['named_terms.locations'])
    })

    test('contract §8 pictures in a text must exist on this site', async () => {
      for (const name of ['boiler.jpg', 'van.jpg']) await addPicture(world.db, name)
      const body = 'Text\n\n![a](boilers.jpg) ![b](/pictures/van.jpg) ![c](https://example.com/c.jpg)'
      const outcome = await world.save('pages', { slug: 'pictured', title: 'Pictured', body })
      assert.ok(outcome.kind === 'invalid')
      assert.deepEqual(outcome.errors, {
        body: [
          'There is no picture “boilers.jpg” in pictures/. Did you mean “boiler.jpg”?',
          '“https://example.com/c.jpg” is on another site. Add the picture to pictures/, then replace the address with the file name.',
        ],
      })
      await world.saved('pages', { slug: 'pictured', title: 'Pictured', body: '![a](boiler.jpg)' })
    })

    test('a link in a text needs a full address or one from the root', async () => {
      const body =
        '[a](url) [b](/contact?a=1&b=2) [c](https://example.com) [d](tel:+15125550100) [e](#top) [f](url)'
      const outcome = await world.save('pages', { slug: 'linked', title: 'Linked', body })
      assert.deepEqual(outcome.errors, {
        body: ['The link to “url” is broken. Enter an address such as /contact or https://example.com.'],
      })
      await world.saved('pages', { slug: 'linked', title: 'Linked', body: body.replaceAll('(url)', '(/a)') })
    })

    test('forms, drawings, pictures, services, places, and testimonials in an entry must exist', async () => {
      const cases = [
        ['pages', 'form', { form: 'none' }],
        ['testimonials', 'service', { author: 'Ann', service: 'none' }],
        ['services', 'icon', { icon: 'rocket' }],
        ['services', 'picture', { picture: 'none.webp' }],
        ['pages', 'picture', { picture: 'none.webp' }],
        ['services', 'offered_in', { offered_in: ['ohio/**'] }],
        ['location_services', 'location_term_id', { service_entry_id: 1, location_term_id: 'ohio' }],
        ['location_services', 'service_entry_id', { service_entry_id: 1, location_term_id: 'austin' }],
        ['location_services', 'service_entry_id', { service_entry_id: Number.POSITIVE_INFINITY }],
        ['location_services', 'service_entry_id', { service_entry_id: 1.5 }],
        ['location_services', 'local_testimonials', { local_testimonials: '99' }],
        ['location_services', 'local_testimonials', { local_testimonials: 'ann,1e99' }],
      ] as const
      for (const [type, key, fields] of cases) {
        const outcome = await world.save(type, { slug: 'x', title: 'X', fields })
        assert.ok(outcome.kind === 'invalid' && outcome.errors[key], `${type} ${key}`)
      }
    })

    test('§2.9 rule 3: renaming a service renames its location services and references', async () => {
      const service = await world.saved('services', aService(['texas/*', 'tulsa']))
      const ann = await world.saved('testimonials', {
        ...{ slug: 'ann', title: 'Ann' },
        fields: { author: 'Ann', service: 'ac-repair' },
      })
      const own = { service_entry_id: service, location_term_id: 'oklahoma', phone: '(512) 555-0100' }
      const oklahoma = await world.saved('location_services', { fields: own })
      await world.saved('services', aService(['texas/*', 'tulsa'], { slug: 'cooling' }), service)
      assert.deepEqual(await world.slugsOf('location_services'), [
        ...['cooling/austin', 'cooling/dallas', 'cooling/oklahoma', 'cooling/tulsa'],
      ])
      assert.equal((await world.entry(ann)).data.service, 'cooling')
      assert.equal((await world.entry(oklahoma)).data.phone, '(512) 555-0100')
    })

    test('a service keeps former slugs and titles as they occurred together', async () => {
      const former = { slug: 'drains', title: 'Drains' }
      const service = await world.saved('services', aService([], former))
      await world.saved('services', aService([], { slug: 'pipes', title: 'Pipes' }), service)
      const query = world.db
        .selectFrom('former_names')
        .select(['slug', 'name'])
        .where('entry_id', '=', service)
      assert.deepEqual(await query.execute(), [{ slug: 'drains', name: 'Drains' }])
    })

    test('§2.9 rule 3: changing the service or place changes the slug, and each pair exists once', async () => {
      const service = await world.saved('services', aService([], { slug: 'heating', title: 'Heating' }))
      const fields = { service_entry_id: service, location_term_id: 'dallas', intro: 'Hello' }
      const id = await world.saved('location_services', { fields })
      assert.equal((await world.entry(id)).slug, 'heating/dallas')
      await world.saved('location_services', { fields: { ...fields, location_term_id: 'tulsa' } }, id)
      assert.equal((await world.entry(id)).slug, 'heating/tulsa')
      assert.equal((await world.entry(id)).data.location_term_id, world.place('tulsa'))
      const second = await world.save('location_services', {
        fields: { ...fields, location_term_id: 'tulsa' },
      })
      assert.match(
        (second.kind === 'invalid' && second.errors.location_term_id?.[0]) || '',
        /has a page in this place/,
      )
    })

    test('§2.9 rule 5: an override becomes a written entry; without it the entry is generated again', async () => {
      const service = await world.saved('services', aService(['austin'], { slug: 'duct', title: 'Duct' }))
      const [offer] = await world.offers(service)
      assert.ok(offer?.isGenerated)
      const pair = { service_entry_id: service, location_term_id: 'austin' }
      await world.saved('location_services', { fields: { ...pair, city: 'ATX' } }, offer.id)
      assert.deepEqual((await world.entry(offer.id)).isGenerated, false)
      await world.saved('location_services', { fields: pair }, offer.id)
      assert.deepEqual((await world.entry(offer.id)).isGenerated, true)
      for (const own of [{ publishAt: NOW.toISOString() }, { unpublishAt: LATER.toISOString() }]) {
        await world.saved('location_services', { ...own, fields: pair }, offer.id)
        assert.equal((await world.entry(offer.id)).isGenerated, false, 'a schedule is its own')
      }
      await world.saved('location_services', { title: 'Own', body: 'Own', fields: pair }, offer.id)
      assert.equal((await resetLocationService(world.db, offer.id, { now: NOW })).kind, 'saved')
      const { title, body, isGenerated } = await world.entry(offer.id)
      assert.deepEqual([title, body, isGenerated], ['', '', true])
    })

    test('deleting a service deletes its location services and its mentions in testimonials', async () => {
      const service = await world.saved(
        'services',
        aService(['texas/**'], { slug: 'roofing', title: 'Roofing' }),
      )
      const bob = await world.saved('testimonials', {
        ...{ slug: 'bob', title: 'Bob' },
        fields: { author: 'Bob', service: 'roofing' },
      })
      const removal = await planRemoval(world.db, service)
      assert.deepEqual(removal?.locationServices, { count: 4, withOwnTexts: [] })
      assert.deepEqual(
        removal.namedBy.map(({ id }) => id),
        [bob],
      )
      assert.equal(await deleteEntry(world.db, service, { now: NOW }), true)
      assert.deepEqual(await world.offers(service), [])
      assert.deepEqual((await world.entry(bob)).data, { author: 'Bob' })
      assert.equal(await deleteEntry(world.db, service, { now: NOW }), false)
    })

    test('deleting a testimonial removes it from location services', async () => {
      const service = await world.saved(
        'services',
        aService(['tulsa'], { slug: 'gutters', title: 'Gutters' }),
      )
      const [offer] = await world.offers(service)
      assert.ok(offer)
      const ids = []
      for (const slug of ['cleo', 'dora'])
        ids.push(await world.saved('testimonials', { slug, title: slug, fields: { author: slug } }))
      const pair = { service_entry_id: service, location_term_id: 'tulsa' }
      await world.saved(
        'location_services',
        { fields: { ...pair, local_testimonials: ids.join(',') } },
        offer.id,
      )
      await deleteEntry(world.db, ids[0] ?? 0, { now: NOW })
      assert.equal((await world.entry(offer.id)).data.local_testimonials, String(ids[1]))
    })

    test('deleting a location service removes its place from its service’s offer', async () => {
      const service = await world.saved('services', aService(['texas/**'], { slug: 'solar', title: 'Solar' }))
      const offers = await world.offers(service)
      const austin = offers.find(({ slug }) => slug === 'solar/austin')
      await deleteEntry(world.db, austin?.id ?? 0, { now: NOW })
      assert.deepEqual((await world.entry(service)).data.offered_in, ['texas/**', 'except austin'])
      assert.deepEqual(
        (await world.offers(service)).map(({ slug }) => slug),
        ['solar/dallas', 'solar/texas', 'solar/zilker'],
      )
    })

    test('a generated page saved as a draft becomes written until it is published again', async () => {
      const service = await world.saved('services', aService(['dallas'], { slug: 'fences', title: 'Fences' }))
      const [offer] = await world.offers(service)
      assert.ok(offer)
      const type = await world.type('location_services')
      await setEntryStatus(world.db, { type, ids: [offer.id], status: 'draft' }, { now: NOW })
      assert.deepEqual((await world.offers(service))[0], { ...offer, status: 'draft', isGenerated: false })
      await setEntryStatus(world.db, { type, ids: [offer.id], status: 'published' }, { now: NOW })
      assert.deepEqual((await world.offers(service))[0], offer)
    })

    test('§2.9 a location service can’t have another type’s address', async () => {
      const routed = { description: null, isRoutable: true, detailPartial: null, fields: [], sortOrder: 60 }
      const stories = { ...routed, name: 'Stories', routePattern: '/services/{service}/{slug}' }
      await insertContentType(world.db, 'stories', stories)
      await world.saved('stories', { slug: 'roofing/dallas', title: 'A roof' })
      await world.saved('stories', { slug: 'roofs/austin', title: 'Roofs' })
      const roofing = { slug: 'roofing', title: 'Roofing', fields: { offered_in: ['texas/*'] } }
      const taken = await world.save('services', roofing)
      assert.match(
        (taken.kind === 'invalid' && taken.errors['']?.[0]) || '',
        /“A roof” already has the address .*roofing\/dallas/,
      )
      assert.ok(!(await world.slugsOf('services')).includes('roofing'), 'nothing of it was stored')
      const service_entry_id = await world.saved('services', {
        ...roofing,
        fields: { offered_in: ['austin'] },
      })
      const renamed = { ...roofing, slug: 'roofs', fields: { offered_in: ['austin'] } }
      assert.equal((await world.save('services', renamed, service_entry_id)).kind, 'invalid')
      assert.equal((await world.entry(service_entry_id)).slug, 'roofing')
      const pair = { fields: { service_entry_id, location_term_id: 'dallas' } }
      const own = await world.save('location_services', pair)
      assert.match((own.kind === 'invalid' && own.errors.location_term_id?.[0]) || '', /“A roof” already has/)
      const id = await world.saved('location_services', { ...pair, status: 'draft' })
      const type = await world.type('location_services')
      const change = await setEntryStatus(world.db, { type, ids: [id], status: 'published' }, { now: NOW })
      assert.deepEqual([change.changed.length, change.refused.length], [0, 1])
      const reset = await resetLocationService(world.db, id, { now: NOW })
      assert.deepEqual(reset.kind === 'invalid' && reset.problems.map(({ params }) => params), [
        { path: '/services/roofing/dallas', owner: 'A roof' },
      ])
      assert.equal((await world.entry(id)).status, 'draft')
    })
  })
}

function addPicture(db: World['db'], name: string) {
  return savePicture(db, aPicture({ name }), { now: '2026-11-20T10:00:00.000Z' })
}
