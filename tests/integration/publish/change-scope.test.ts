import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { insertEntries } from '#src/entries/entry-store.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { findContentType, insertContentType } from '#src/entries/types/content-type-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { findScope } from '#src/publish/changes/find-scope.ts'
import type { Scope } from '#src/publish/changes/scope.ts'
import { saveSources } from '#src/publish/ledger/file-store.ts'
import {
  findBase,
  type Ledger,
  ledgerFile,
  openLedger,
  type ReleaseFacts,
} from '#src/publish/ledger/ledger-store.ts'
import { FIRST_COPY_ID } from '#src/publish/live/live-content.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { sourcesOfReads } from '#src/publish/render/own-reads.ts'
import { type ContentKey, openContentSource } from '#src/site/own-pages/content-source.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry, offer } from '../../support/small-site.ts'

const NOON = new Date('2026-11-20T12:00:00.000Z')
const SITE_URL = 'https://example.com'
const TEXT = 'We repair every air conditioner on the day that you call, in all seasons and in every street.'

type Published = Awaited<ReturnType<typeof aPublishedSite>>

/** A published site, and a function for the scope of a change to it. */
async function aSite(t: TestContext, prepare: (site: Published) => Promise<unknown>) {
  const site = await aPublishedSite(t)
  const { db, dataDir, places, publish } = site
  await prepare(site)
  await publish()
  const release = findCurrentRelease(dataDir)
  async function scopeOf(
    change: () => Promise<unknown>,
    { now = NOON, facts: given = {} }: { now?: Date; facts?: Partial<ReleaseFacts> } = {},
  ): Promise<Scope> {
    const position = await findLogEnd(db)
    await change()
    const ledger = openLedger(ledgerFile(dataDir))
    const facts = findBase(ledger, release)
    assert.ok(facts)
    const question = { ledger, facts: { ...facts, position, ...given }, siteUrl: SITE_URL, now }
    return findScope(db, question).finally(() => ledger.close())
  }
  const entries = await db.selectFrom('content_entries').select(['id', 'slug']).execute()
  const ids = new Map(entries.map(({ id, slug }) => [slug, id]))
  const names = new Map(entries.map(({ id, slug }) => [id, slug]))
  const idOf = (slug: string) => ids.get(slug) ?? 0
  /** In short: why all pages are compared, or which entries’ pages and sources. */
  async function look(...args: Parameters<typeof scopeOf>) {
    const scope = await scopeOf(...args)
    if (scope.kind === 'all') return scope.code
    const slugs = scope.entryIds.map((id) => names.get(id) ?? id).toSorted()
    return [slugs.join(' '), scope.hasOverviews, scope.changes.map(({ key }) => key).join()]
  }
  const edit = (slug: string, values: Parameters<typeof editEntry>[2]) => () =>
    editEntry(db, idOf(slug), values)
  const place = (slug: string, values: Parameters<typeof editPlace>[2]) => () =>
    editPlace(db, places.get(slug), values)
  function editLedger(work: (ledger: Ledger) => void) {
    const ledger = openLedger(ledgerFile(dataDir))
    work(ledger)
    ledger.close()
  }
  return { ...site, scopeOf, look, idOf, edit, place, editLedger }
}

const none = async () => {}
const NOTHING = ['', false, '']

test('an edit that only an entry’s own page shows compares that page', async (t) => {
  const { db, look, scopeOf, idOf, edit } = await aSite(t, async ({ db }) => {
    await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' })
    await addEntry(db, 'pages', { slug: 'hidden', title: 'Hidden', status: 'draft' })
  })
  assert.deepEqual(await look(none), NOTHING)
  assert.deepEqual(await look(edit('about', { body: 'New' })), ['about', false, ''])
  const scope = await scopeOf(edit('about', { body: 'Newer' }))
  assert.ok(scope.kind === 'changes')
  assert.deepEqual(scope.touched, [{ subject: 'entry', subjectId: `${idOf('about')}` }])
  const { near } = scope
  assert.ok(typeof near === 'object')
  assert.deepEqual([near.serviceIds, near.locationIds], [[], []])
  assert.ok(near.known?.areas)
  assert.deepEqual([scope.sources, scope.hasOverviews], [[], false])
  assert.deepEqual(await look(edit('hidden', { body: 'New' })), NOTHING)
  assert.equal(await look(edit('about', { title: 'About us' })), 'shared_content')
  await edit('about', { title: 'About' })()
  assert.equal(await look(edit('hidden', { status: 'published' })), 'shared_content')
  assert.equal(await look(() => addEntry(db, 'pages', { slug: 'new', title: 'New' })), 'shared_content')
  assert.equal(await look(() => deleteEntry(db, idOf('about'), { now: NOON })), 'shared_content')
})

test('changes of other kinds, and of sites with archives, make all pages differ', async (t) => {
  const { db, look, edit } = await aSite(t, ({ db }) =>
    addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' }),
  )
  const facts = { hasArchives: true }
  assert.deepEqual(await look(none, { facts }), NOTHING)
  assert.equal(await look(edit('about', { body: 'New' }), { facts }), 'shared_content')
  const save = (tagline: string) => changeSiteSettings(db, { changes: { tagline } }, { now: NOON })
  assert.equal(await look(() => save('Cool')), 'shared_content')
  const both = async () => {
    await edit('about', { body: 'Newer' })()
    await save('Cooler')
  }
  assert.equal(await look(both), 'shared_content')
})

test('entries that are due count as changed, and a time before the release’s is unknown', async (t) => {
  const at = '2026-11-21T12:00:00.000Z'
  const { db, look } = await aSite(t, ({ db }) =>
    addEntry(db, 'pages', { slug: 'soon', title: 'Soon', publishAt: at }),
  )
  const now = new Date(at)
  assert.equal(await look(none, { now }), 'shared_content')
  assert.deepEqual(await look(none, { now: new Date('2026-11-21T11:59:59.999Z') }), NOTHING)
  assert.deepEqual(await look(none, { now, facts: { shownAt: at } }), NOTHING)
  const shownAt = '2026-11-21T12:00:00.001Z'
  assert.equal(await look(none, { now, facts: { shownAt } }), 'unknown_changes')
  const position = { ...(await findLogEnd(db)), savedAt: '2020-01-01T00:00:00.000Z' }
  assert.equal(await look(none, { facts: { position } }), 'unknown_changes')
})

test('more than 500 changes make all pages differ', async (t) => {
  const { db, look } = await aSite(t, none)
  const log = (count: number) => () =>
    db
      .insertInto('content_changes')
      .values(
        Array.from({ length: count }, (_, index) => ({
          ...{ subject: 'entry', subject_id: `${5_000 + index}`, action: 'edited' },
        })) as never,
      )
      .execute()
  assert.equal(await look(log(501)), 'many_changes')
  assert.deepEqual(await look(log(500)), NOTHING)
})

test('an edit of a service compares its pages and the lists of services', async (t) => {
  const { db, look, scopeOf, idOf, edit } = await aSite(t, async ({ db }) => {
    const heating = {
      slug: 'heating',
      id: await addEntry(db, 'services', { slug: 'heating', title: 'Heating' }),
    }
    const austin = await db
      .selectFrom('taxonomy_terms')
      .select('id')
      .where('slug', '=', 'austin')
      .executeTakeFirstOrThrow()
    await offer(db, heating, { slug: 'austin', id: austin.id })
  })
  const all = 'ac-repair ac-repair/austin ac-repair/dallas'
  const text = `service-text:${idOf('ac-repair')}`
  assert.deepEqual(await look(edit('ac-repair', { body: 'Same day.' })), [all, true, text])
  assert.deepEqual(await look(edit('ac-repair', { body: '' })), [all, true, ''])
  const scope = await scopeOf(edit('ac-repair', { body: 'Next day.' }))
  assert.ok(scope.kind === 'changes')
  assert.deepEqual(
    [scope.near, scope.sources.map(({ key }) => key)],
    ['places', [`service:${idOf('ac-repair')}`, text]],
  )
  assert.equal(await look(edit('ac-repair', { title: 'Cooling' })), 'shared_content')
  assert.equal(await look(edit('ac-repair', { status: 'draft' })), 'shared_content')
  assert.equal(await look(() => deleteEntry(db, idOf('heating/austin'), { now: NOON })), 'shared_content')
})

test('an edit of a service with many places makes all pages differ', async (t) => {
  const { db, look, edit, service } = await aSite(t, none)
  const taxonomy = await findTaxonomy(db, 'locations')
  const slugs = Array.from({ length: 498 }, (_, number) => `place-${number}`)
  const terms = slugs.map((slug, position) => ({
    slug,
    name: slug,
    description: null,
    parentId: null,
    position,
  }))
  const ids = await insertTerms(db, taxonomy?.id ?? 0, terms)
  const type = await findContentType(db, 'location_services')
  const pairs = slugs.map((slug) => ({
    ...{ slug: `ac-repair/${slug}`, title: '', status: 'published' as const, body: '', isGenerated: true },
    data: { service_entry_id: service.id, location_term_id: ids.get(slug) },
  }))
  const [last, ...others] = pairs
  const insert = (some: typeof pairs) => insertEntries(db, type?.id ?? 0, some, { now: NOON.toISOString() })
  await insert(others)
  // No page of these is live, which is found only when they are compared.
  assert.equal(await look(edit('ac-repair', { body: 'A' }), { facts: { pages: 1 } }), 'shared_content')
  assert.ok(last)
  await insert([last])
  const scopes: [pages: number, scope: string][] = [
    [1, 'many_changes'],
    [2_003, 'many_changes'],
    [2_004, 'shared_content'],
    [9_999, 'shared_content'],
  ]
  for (const [pages, scope] of scopes)
    assert.equal(await look(edit('ac-repair', { body: `${pages}` }), { facts: { pages } }), scope, `${pages}`)
})

test('an edit of a testimonial compares the pages that show it', async (t) => {
  const { db, look, edit, idOf } = await aSite(t, async ({ db }) => {
    await insertContentType(db, 'notes', {
      ...{ name: 'Notes', description: null, sortOrder: 50, fields: [] },
      ...{ isRoutable: false, routePattern: null, detailPartial: null },
    })
    await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
    const data = { author: 'Ann', service: 'ac-repair' }
    await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', body: 'Good', data })
  })
  const text = `testimonial-text:${idOf('ann')}`
  const [slugs, ...others] = await look(edit('ann', { body: 'Very good' }))
  assert.match(`${slugs}`, /^ac-repair ac-repair\/austin ac-repair\/dallas/)
  assert.deepEqual(others, [true, text])
  assert.equal(await look(edit('ann', { data: { author: 'Ann', service: 'heating' } })), 'shared_content')
  assert.equal(await look(edit('ann', { status: 'draft' })), 'shared_content')
  const added = () => addEntry(db, 'testimonials', { slug: 'bob', title: 'Bob', data: { author: 'Bob' } })
  assert.equal(await look(added), 'shared_content')
  // Neither pages nor lists show it.
  const note = () => addEntry(db, 'notes', { slug: 'a', title: 'A' })
  assert.deepEqual(await look(note), NOTHING)
})

test('an edit of a testimonial with a page of its own makes all pages differ', async (t) => {
  const { look, edit } = await aSite(t, async ({ db }) => {
    const routed = { is_routable: 1, route_pattern: '/reviews/{slug}' } as never
    await db.updateTable('content_types').set(routed).where('slug', '=', 'testimonials').execute()
    await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', body: 'Good', data: { author: 'Ann' } })
  })
  assert.equal(await look(edit('ann', { body: 'Very good' })), 'shared_content')
})

test('an edit of a place’s text compares the pages there', async (t) => {
  const { db, look, places, place } = await aSite(t, async ({ db, places }) => {
    await editPlace(db, places.get('austin'), { description: 'The capital.' })
    await editPlace(db, places.get('texas'), { description: 'The Lone Star State.' })
  })
  const id = places.get('austin') ?? 0
  const one = ['ac-repair/austin', false, `term-text:${id}`]
  assert.deepEqual(await look(place('austin', { description: 'The great capital.' })), one)
  assert.deepEqual(await look(place('austin', { description: 'The capital.' })), [
    'ac-repair/austin',
    false,
    '',
  ])
  assert.deepEqual(await look(place('texas', { description: 'Texas.' })), [
    '',
    false,
    `term-text:${places.get('texas')}`,
  ])
  const save = () =>
    db
      .insertInto('content_changes')
      .values({ subject: 'term', subject_id: `${places.get('dallas')}`, action: 'edited' })
      .execute()
  assert.deepEqual(await look(save), ['ac-repair/dallas', false, ''])
  assert.equal(await look(place('dallas', { description: 'Big D.' })), 'shared_content', 'it is new')
  assert.equal(await look(place('austin', { description: null })), 'shared_content', 'it is gone')
  assert.equal(await look(place('texas', { name: 'TX' })), 'shared_content')
  const gone = () => deleteTerm(db, 'locations', places.get('dallas') ?? 0, { now: NOON })
  assert.equal(await look(gone), 'shared_content')
})

test('a page whose address or subject was another makes all pages differ', async (t) => {
  const { look, edit, editLedger } = await aSite(t, ({ db }) =>
    addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' }),
  )
  const set = (column: string, value: string) =>
    editLedger((ledger) =>
      ledger.prepare(`update pages set ${column} = ? where path like '/about%'`).run(value),
    )
  set('path', '/about-us')
  assert.equal(await look(edit('about', { body: 'B' })), 'shared_content')
  set('path', '/about')
  assert.deepEqual(await look(edit('about', { body: 'C' })), ['about', false, ''])
  set('key', 'entry:0')
  assert.equal(await look(edit('about', { body: 'D' })), 'shared_content')
})

test('an edit of a local text also compares the pages whose texts are no longer or newly like it', async (t) => {
  const { look, scopeOf, edit, idOf } = await aSite(t, async ({ db }) => {
    await db
      .updateTable('content_entries')
      .set({ body: TEXT })
      .where('slug', '=', 'ac-repair/dallas')
      .execute()
  })
  const withoutText = await scopeOf(edit('ac-repair/austin', { data: { phone: '(512) 555-0100' } }))
  assert.ok(withoutText.kind === 'changes')
  assert.deepEqual(withoutText.entryIds, [idOf('ac-repair/austin')])
  assert.equal(withoutText.content?.ownTexts.size, 0, 'no texts were compared')
  assert.deepEqual(await look(edit('ac-repair/austin', { body: 'Something else.' })), [
    'ac-repair/austin',
    false,
    '',
  ])
  const scope = await scopeOf(edit('ac-repair/austin', { body: TEXT }))
  assert.ok(scope.kind === 'changes')
  assert.deepEqual(
    [...scope.entryIds].toSorted(),
    [idOf('ac-repair/austin'), idOf('ac-repair/dallas')].toSorted(),
  )
  assert.ok(typeof scope.near === 'object' && scope.near.known?.areas)
  const copied = scope.content?.ownTexts.get(idOf('ac-repair/dallas'))
  assert.ok(copied, 'the texts were compared')
})

test('pages of entries that only the live content has make all pages differ', async (t) => {
  const { db, look, editLedger } = await aSite(t, none)
  const page = (count: number) =>
    editLedger((ledger) =>
      ledger
        .prepare(
          `insert into pages select * from (
             with recursive numbers (number) as (select 0 union all select number + 1 from numbers limit ?)
             select '/copy/' || number, key, fingerprint, own, bytes_hash, size, modified_at, quality, is_listed,
               former, picture, ? + number, frame, own_text, reads, part from numbers, pages where path = '/')
           where true on conflict do nothing`,
        )
        .run(count, FIRST_COPY_ID),
    )
  page(1)
  assert.equal(await look(none), 'shared_content')
  const type = await db
    .selectFrom('content_types')
    .select('id')
    .where('slug', '=', 'pages')
    .executeTakeFirst()
  const moment = NOON.toISOString()
  const rows = Array.from({ length: 501 }, (_, number) => ({
    ...{ id: FIRST_COPY_ID + number, type_id: type?.id ?? 0, slug: `copy-${number}`, title: '', body: '' },
    ...{ status: 'published' as const, data_json: '{}', created_at: moment, updated_at: moment },
  }))
  for (const from of [0, 200, 400])
    await db
      .insertInto('content_entries')
      .values(rows.slice(from, from + 200) as never)
      .execute()
  assert.deepEqual(await look(none), NOTHING)
  page(500)
  assert.deepEqual(await look(none), NOTHING)
  page(501)
  assert.equal(await look(none), 'shared_content')
})

test('content that own pages read makes all pages differ if it changed', async (t) => {
  const site = await aSite(t, async ({ db }) => {
    for (const slug of ['about', 'contact']) await addEntry(db, 'pages', { slug, title: slug, body: 'A' })
  })
  const { db, look, edit, editLedger } = site
  const layout = async () => assert.fail('what all pages share isn’t read')
  const read = async (...keys: ContentKey[]) => {
    const source = openContentSource({ db, siteUrl: SITE_URL, now: NOON, layout })
    const sources = await sourcesOfReads(source, keys)
    const other = { key: 'own:layout', label: 'layout', hash: 'other' }
    editLedger((ledger) => saveSources(ledger, [other, ...sources], { isWhole: false }))
  }
  await read()
  assert.deepEqual(await look(edit('about', { body: 'B' })), ['about', false, ''])
  await read('site')
  assert.deepEqual(await look(edit('about', { body: 'C' })), ['about', false, ''])
  await read('site', 'entries:pages')
  assert.equal(await look(edit('about', { body: 'D' })), 'shared_content')
  await edit('about', { body: 'C' })()
  await read('site', 'entries:pages')
  assert.deepEqual(await look(edit('contact', { body: 'A' })), NOTHING)
})

test('a text that is gone without a page of its own leaves others like it', async (t) => {
  const { db, look, scopeOf, edit, idOf, service, places } = await aSite(t, async ({ db, places }) => {
    const heating = {
      slug: 'heating',
      id: await addEntry(db, 'services', { slug: 'heating', title: 'Heating', status: 'draft' }),
    }
    for (const slug of ['austin', 'dallas', 'texas'])
      await offer(db, heating, { slug, id: places.get(slug) ?? 0 }, { body: slug === 'texas' ? '' : TEXT })
    await db
      .updateTable('content_entries')
      .set({ body: TEXT })
      .where('slug', '=', 'ac-repair/dallas')
      .execute()
  })
  const scope = await scopeOf(edit('ac-repair/dallas', { data: { phone: '(214) 555-0100' } }))
  assert.ok(scope.kind === 'changes')
  const known = scope.content?.ownTexts.get(idOf('ac-repair/dallas'))
  assert.ok(typeof scope.near === 'object')
  assert.deepEqual([scope.near.serviceIds, scope.near.locationIds], [[service.id], [places.get('dallas')]])
  assert.deepEqual([known?.words, known?.copied, known?.twin], [18, 1, 'heating/austin'])
  assert.deepEqual(await look(edit('heating/texas', { status: 'draft' })), NOTHING)
  assert.deepEqual(await look(edit('heating/austin', { status: 'draft' })), ['ac-repair/dallas', false, ''])
  await edit('heating/austin', { status: 'published' })()
  const two = async () => {
    await edit('heating/austin', { status: 'draft' })()
    await edit('ac-repair/austin', { data: { phone: '(512) 555-0100' } })()
  }
  assert.deepEqual(await look(two), ['ac-repair/austin ac-repair/dallas', false, ''])
  await edit('heating/austin', { status: 'published' })()
  const gone = () => deleteEntry(db, idOf('heating/austin'), { now: NOON })
  assert.deepEqual(await look(gone), ['ac-repair/dallas', false, ''])
})
