import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { findEntryById, listTermIdsOfEntry } from '#src/entries/entry-lookup-store.ts'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { toSnapshot } from '#src/entries/history/entry-snapshot.ts'
import { deleteTerm } from '#src/entries/terms/delete-term.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { savePublishedAddresses } from '#src/publish/addresses/published-address-store.ts'
import type { ContentChange, SelectedChange } from '#src/publish/changes/change-store.ts'
import { reserveIds } from '#src/publish/live/content-row-store.ts'
import { findAhead } from '#src/publish/live/find-ahead.ts'
import { takeDueEntries } from '#src/publish/live/take-due-entries.ts'
import { takeEntries } from '#src/publish/live/take-entries.ts'
import { takeSelected, takeSettings } from '#src/publish/live/take-selected.ts'
import { takeTerms } from '#src/publish/live/take-terms.ts'
import { renameForm } from '#src/site/forms/rename-form.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { saveSettingsDraft } from '#src/site/settings/settings-draft.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { aPicture } from '../../support/pictures.ts'
import { draftEntry, editEntry, editPlace } from '../../support/small-edits.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const CLOCK = { now: NOW.toISOString() }

type Db = Awaited<ReturnType<typeof openTestDatabase>>

/** A database and a copy of its content, which is live. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin', 'usa/texas/dallas', 'usa/ohio')
  const service = {
    slug: 'ac-repair',
    id: await addEntry(db, 'services', {
      slug: 'ac-repair',
      title: 'AC repair',
      data: { offered_in: ['texas/*'] },
    }),
  }
  const ids = new Map<string, number>([['ac-repair', service.id]])
  for (const slug of ['austin', 'dallas']) {
    const pair = await offer(db, service, { slug, id: places.get(slug) ?? 0 }, { isGenerated: true })
    ids.set(`ac-repair/${slug}`, pair)
  }
  for (const slug of ['about', 'news']) ids.set(slug, await addEntry(db, 'pages', { slug, title: slug }))
  const path = join(temporaryFolder(t), 'live.db')
  await sql`vacuum into ${path}`.execute(db)
  const live = connectSqlite(path)
  atEnd(t, () => live.destroy())
  await reserveIds(live)
  const idOf = (slug: string) => ids.get(slug) ?? places.get(slug) ?? 0
  return { db, live, places, service, idOf }
}

async function placesIn(db: Db): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('taxonomy_terms as term')
    .leftJoin('taxonomy_terms as above', 'above.id', 'term.parent_id')
    .select(['term.slug', 'term.name', 'above.slug as parent'])
    .execute()
  return Object.fromEntries(
    rows.map(({ slug, name, parent }) => [slug, parent ? `${name} in ${parent}` : name]),
  )
}

async function slugsIn(db: Db, type = 'location_services'): Promise<string> {
  const rows = await db
    .selectFrom('content_entries')
    .innerJoin('content_types', 'content_types.id', 'content_entries.type_id')
    .select('content_entries.slug')
    .where('content_types.slug', '=', type)
    .where('content_entries.status', '=', 'published')
    .orderBy('content_entries.slug')
    .execute()
  return rows.map(({ slug }) => slug).join(' ')
}

test('only the selected places go live, with the pages that depend on them', async (t) => {
  const { db, live, idOf } = await aSite(t)
  assert.deepEqual(await takeTerms(live, db, [], CLOCK), [])
  await editPlace(db, idOf('austin'), { name: 'Austin TX', slug: 'atx' })
  await editPlace(db, idOf('dallas'), { name: 'Big D' })
  assert.deepEqual(await takeTerms(live, db, [idOf('austin')], CLOCK), [])
  const before = { usa: 'Usa', texas: 'Texas in usa', ohio: 'Ohio in usa' }
  assert.deepEqual(await placesIn(live), { ...before, atx: 'Austin TX in texas', dallas: 'Dallas in texas' })
  assert.equal(await slugsIn(live), 'ac-repair/atx ac-repair/dallas')
  assert.equal((await findEntryById(live, idOf('ac-repair/austin')))?.updatedAt, CLOCK.now)
  await takeTerms(live, db, [idOf('dallas')], CLOCK)
  assert.equal((await placesIn(live)).dallas, 'Big D in texas')
})

test('places that swapped their slugs go live together, and one that took another’s alone does not', async (t) => {
  const { db, live, idOf } = await aSite(t)
  await editPlace(db, idOf('austin'), { slug: 'former' })
  await editPlace(db, idOf('dallas'), { slug: 'austin' })
  const problems = await takeTerms(live, db, [idOf('dallas')], CLOCK)
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /Dallas.*Austin/s)
  const names = ['austin', 'dallas'].map(async (slug) => (await placesIn(live))[slug])
  assert.deepEqual(await Promise.all(names), ['Austin in texas', 'Dallas in texas'])
  assert.equal(await slugsIn(live), 'ac-repair/austin ac-repair/dallas')
  await editPlace(db, idOf('austin'), { slug: 'dallas' })
  assert.deepEqual(await takeTerms(live, db, [idOf('austin'), idOf('dallas')], CLOCK), [])
  const { austin, dallas } = await placesIn(live)
  assert.deepEqual([austin, dallas], ['Dallas in texas', 'Austin in texas'])
})

test('a new place goes live with those above it, and with the services saved for it', async (t) => {
  const { db, live, service } = await aSite(t)
  const added = await addPlaces(db, 'canada/ontario/toronto', 'canada/ontario/ottawa')
  await editEntry(db, service.id, { data: { offered_in: ['texas/*', 'ontario/**', 'except ottawa'] } })
  assert.deepEqual(await takeTerms(live, db, [added.get('toronto') ?? 0], CLOCK), [])
  const { canada, ontario, toronto, ottawa } = await placesIn(live)
  assert.deepEqual(
    [canada, ontario, toronto, ottawa],
    ['Canada', 'Ontario in canada', 'Toronto in ontario', undefined],
  )
  assert.equal(await slugsIn(live), 'ac-repair/austin ac-repair/dallas ac-repair/ontario ac-repair/toronto')
  await takeTerms(live, db, [added.get('ottawa') ?? 0], CLOCK)
  assert.equal((await placesIn(live)).ottawa, 'Ottawa in ontario')
  assert.doesNotMatch(await slugsIn(live), /ottawa/)
})

test('a deleted place takes its pages with it, but not a place that was moved out of it', async (t) => {
  const { db, live, idOf } = await aSite(t)
  await editPlace(db, idOf('dallas'), { parentId: idOf('ohio') })
  await deleteTerm(db, 'locations', idOf('texas'), { now: NOW })
  assert.deepEqual(await takeTerms(live, db, [idOf('texas')], CLOCK), [])
  assert.deepEqual(await placesIn(live), { usa: 'Usa', ohio: 'Ohio in usa', dallas: 'Dallas in ohio' })
  assert.doesNotMatch(await slugsIn(live), /austin/)
})

test('a place that was moved out of a deleted one brings the new places above it', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const midwest = (await addPlaces(db, 'midwest')).get('midwest') ?? 0
  await editPlace(db, idOf('ohio'), { parentId: midwest })
  await editPlace(db, idOf('dallas'), { parentId: idOf('ohio') })
  await deleteTerm(db, 'locations', idOf('texas'), { now: NOW })
  assert.deepEqual(await takeTerms(live, db, [idOf('texas')], CLOCK), [])
  assert.deepEqual(await placesIn(live), await placesIn(db))
})

test('places that were turned upside down go live together', async (t) => {
  const { db, live, idOf } = await aSite(t)
  await editPlace(db, idOf('austin'), { parentId: idOf('usa') })
  await editPlace(db, idOf('texas'), { parentId: idOf('austin') })
  assert.deepEqual(await takeTerms(live, db, [idOf('texas')], CLOCK), [])
  const { austin, texas, dallas } = await placesIn(live)
  assert.deepEqual([austin, texas, dallas], ['Austin in usa', 'Texas in austin', 'Dallas in texas'])
  await editPlace(db, idOf('ohio'), { parentId: null })
  await editPlace(db, idOf('usa'), { parentId: idOf('ohio') })
  assert.deepEqual(await takeTerms(live, db, [idOf('usa')], CLOCK), [])
  assert.deepEqual(await placesIn(live), await placesIn(db))
})

test('only the selected entries go live, as they were saved or drafted', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const take = (ids: number[], options = {}) => takeEntries(live, db, ids, { now: NOW, ...options })
  const bodyOf = async (id: number) => (await findEntryById(live, id))?.body
  await editEntry(db, idOf('about'), { body: 'New' })
  await editEntry(db, idOf('news'), { body: 'News' })
  assert.deepEqual(await take([idOf('about')]), [])
  assert.deepEqual([await bodyOf(idOf('about')), await bodyOf(idOf('news'))], ['New', ''])
  const entry = await findEntryById(db, idOf('news'))
  assert.ok(entry)
  const drafted = { ...toSnapshot(entry, []), body: 'Drafted' }
  await take([idOf('news')], { drafts: new Map([[idOf('news'), drafted]]) })
  assert.equal(await bodyOf(idOf('news')), 'Drafted')
  await editEntry(db, idOf('about'), { slug: 'other' })
  await editEntry(db, idOf('news'), { slug: 'about' })
  const problems = await take([idOf('news')])
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /about/)
  assert.equal(await slugsIn(live, 'pages'), 'about news')
  await editEntry(db, idOf('about'), { slug: 'news' })
  assert.deepEqual(await take([idOf('about'), idOf('news')]), [])
  assert.deepEqual([await slugsIn(live, 'pages'), await bodyOf(idOf('news'))], ['about news', 'News'])
  await editEntry(db, idOf('about'), { status: 'draft' })
  await deleteEntry(db, idOf('news'), { now: NOW })
  const added = await addEntry(db, 'pages', { slug: 'new', title: 'New' })
  const soon = await addEntry(db, 'pages', {
    slug: 'soon',
    title: 'Soon',
    publishAt: '2999-01-01T00:00:00.000Z',
  })
  assert.deepEqual(await take([idOf('about'), idOf('news'), added, soon]), [])
  assert.equal(await slugsIn(live, 'pages'), 'new')
})

test('an entry brings what it refers to: its service, place, terms, pictures, and form', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const ohio = { slug: 'ohio', id: idOf('ohio') }
  const heating = {
    slug: 'heating',
    id: await addEntry(db, 'services', { slug: 'heating', title: 'Heating' }),
  }
  const pair = await offer(db, heating, ohio, { body: 'Warm ![A boiler](boiler.jpg)' })
  for (const name of ['boiler.jpg', 'other.jpg']) await savePicture(db, aPicture({ name }), CLOCK)
  assert.deepEqual(await takeEntries(live, db, [pair], { now: NOW }), [])
  assert.match(await slugsIn(live), /heating\/ohio/)
  assert.equal(await slugsIn(live, 'services'), 'ac-repair heating')
  const pictures = await live.selectFrom('library_pictures').select('name').execute()
  assert.deepEqual(pictures, [{ name: 'boiler.jpg' }])
  const added = await addPlaces(db, 'canada/toronto')
  await replaceEntryTerms(
    db,
    (await findEntryById(db, idOf('about')))?.typeId ?? 0,
    new Map([[idOf('about'), [added.get('toronto') ?? 0]]]),
  )
  await db.updateTable('forms').set({ slug: 'queue' }).where('slug', '=', 'waitlist').execute()
  await db
    .updateTable('content_entries')
    .set({ data_json: '{"form":"queue"}' })
    .where('id', '=', idOf('about'))
    .execute()
  await takeEntries(live, db, [idOf('about')], { now: NOW })
  assert.deepEqual(await listTermIdsOfEntry(live, idOf('about')), [added.get('toronto')])
  assert.deepEqual((await placesIn(live)).toronto, 'Toronto in canada')
  assert.equal(
    (await findEntryById(live, idOf('about')))?.data.form,
    'waitlist',
    'the form has its live name',
  )
  const taken = await addPlaces(db, 'mexico')
  await live
    .insertInto('taxonomy_terms')
    .values({ ...(await termRow(db, taken.get('mexico'))), id: 9_999 } as never)
    .execute()
  await replaceEntryTerms(
    db,
    (await findEntryById(db, idOf('news')))?.typeId ?? 0,
    new Map([[idOf('news'), [taken.get('mexico') ?? 0]]]),
  )
  const problems = await takeEntries(live, db, [idOf('news')], { now: NOW })
  assert.match(problems.join(), /news.*Mexico/s)
})

test('an entry keeps the live names of what it refers to', async (t) => {
  const { db, live, idOf, service } = await aSite(t)
  const data = { author: 'Ann', service: 'ac-repair' }
  const ann = await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann', data })
  const take = (...ids: number[]) => takeEntries(live, db, ids, { now: NOW })
  const dataOf = async (id: number) => (await findEntryById(live, id))?.data
  await take(ann)
  assert.deepEqual(await dataOf(ann), data)
  await editEntry(db, service.id, { slug: 'cooling', title: 'Cooling' })
  await editEntry(db, ann, { body: 'Good', data: { author: 'Bea', service: 'cooling' } })
  assert.deepEqual(await take(ann), [])
  assert.deepEqual(await dataOf(ann), { author: 'Bea', service: 'ac-repair' })
  const heating = await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
  await editEntry(db, ann, { data: { author: 'Bea', service: 'heating' } })
  await take(ann)
  assert.equal((await dataOf(ann))?.service, 'heating', 'it isn’t live')
  const lost = JSON.stringify({ author: 'Bea', service: 'lost' })
  await db.updateTable('content_entries').set({ data_json: lost }).where('id', '=', ann).execute()
  await take(ann)
  assert.equal((await dataOf(ann))?.service, 'lost', 'it was deleted')
  await take(heating, service.id)
  assert.equal(await slugsIn(live, 'services'), 'cooling heating')

  await editPlace(db, idOf('ohio'), { slug: 'buckeye' })
  const added = await addPlaces(db, 'canada/toronto')
  const patterns = ['texas/*', 'except dallas', 'buckeye', 'toronto', 'nowhere']
  await db
    .updateTable('content_entries')
    .set({ data_json: JSON.stringify({ offered_in: patterns }) })
    .where('id', '=', heating)
    .execute()
  assert.deepEqual(await take(heating), [])
  const known = ['texas/*', 'except dallas', 'ohio', 'toronto', 'nowhere']
  assert.deepEqual((await dataOf(heating))?.offered_in, known)
  assert.equal((await placesIn(live)).toronto, 'Toronto in canada')
  assert.ok(added.get('toronto'))
})

test('a new entry waits until its address is free, and a local page has the live slugs', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const take = (...ids: number[]) => takeEntries(live, db, ids, { now: NOW })
  await editEntry(db, idOf('about'), { slug: 'other' })
  const next = await addEntry(db, 'pages', { slug: 'about', title: 'Next' })
  assert.equal((await take(next)).length, 1)
  assert.equal(await findEntryById(live, next), undefined)
  assert.deepEqual(await take(next, idOf('about')), [])
  assert.equal(await slugsIn(live, 'pages'), 'about news other')

  await editPlace(db, idOf('austin'), { slug: 'atx' })
  const pair = idOf('ac-repair/austin')
  await editEntry(db, pair, { body: 'Local.' })
  assert.equal((await findEntryById(db, pair))?.slug, 'ac-repair/atx')
  assert.deepEqual(await take(pair), [])
  const { slug, body } = (await findEntryById(live, pair)) ?? {}
  assert.deepEqual([slug, body], ['ac-repair/austin', 'Local.'])
})

test('an entry brings its form with the fields, unless another one has the name', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const useForm = (id: number, form: string) =>
    db
      .updateTable('content_entries')
      .set({ data_json: JSON.stringify({ form }) })
      .where('id', '=', id)
      .execute()
  const take = (id: number) => takeEntries(live, db, [id], { now: NOW })
  const quote = await storeForm(db, 'quote')
  await useForm(idOf('about'), 'quote')
  assert.deepEqual(await take(idOf('about')), [])
  const formIn = async (slug: string) =>
    live.selectFrom('forms').select('id').where('slug', '=', slug).executeTakeFirst()
  assert.equal((await formIn('quote'))?.id, quote.id)
  const fields = (of: Db) =>
    of.selectFrom('form_fields').selectAll().where('form_id', '=', quote.id).execute()
  assert.ok((await fields(db)).length > 0)
  assert.deepEqual(await fields(live), await fields(db))
  assert.equal((await findEntryById(live, idOf('about')))?.data.form, 'quote')

  await live.updateTable('forms').set({ slug: 'visit' }).where('slug', '=', 'waitlist').execute()
  const visit = await storeForm(db, 'visit')
  await useForm(idOf('news'), 'visit')
  assert.deepEqual(await take(idOf('news')), [])
  assert.notEqual((await formIn('visit'))?.id, visit.id)
  await useForm(idOf('news'), 'none')
  assert.deepEqual(await take(idOf('news')), [])
})

test('a category of the same name doesn’t keep a place from going live', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const { id = 0 } = (await findTaxonomy(live, 'service_categories')) ?? {}
  const category = { slug: 'mexico', name: 'Mexico', description: null, parentId: null, position: 0 }
  await insertTerms(live, id, [category])
  const mexico = (await addPlaces(db, 'canada', 'mexico')).get('mexico') ?? 0
  await db.updateTable('taxonomy_terms').set({ id: 9_999 }).where('id', '=', mexico).execute()
  await replaceEntryTerms(
    db,
    (await findEntryById(db, idOf('news')))?.typeId ?? 0,
    new Map([[idOf('news'), [9_999]]]),
  )
  assert.deepEqual(await takeEntries(live, db, [idOf('news')], { now: NOW }), [])
  assert.deepEqual(await listTermIdsOfEntry(live, idOf('news')), [9_999])
})

test('a selected draft shows its form under today’s name', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const { id } = await storeForm(db, 'quote')
  await savePublishedAddresses(db, [{ path: '/forms/quote', key: `form:${id}` }])
  await draftEntry(db, idOf('about'), { data: { form: 'quote' } })
  await renameForm(db, 'quote', 'estimate', CLOCK)
  const about: SelectedChange = { subject: 'entry', subjectId: `${idOf('about')}`, draft: 'a' }
  await takeSelected(live, db, [about], { now: NOW })
  assert.equal((await findEntryById(live, idOf('about')))?.data.form, 'estimate')
})

test('a selection shows only the drafts that it names', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const [about, news] = [`${idOf('about')}`, `${idOf('news')}`]
  for (const slug of ['about', 'news']) await draftEntry(db, idOf(slug), { body: `Draft of ${slug}` })
  await saveSettingsDraft(db, { changes: { tagline: 'Later' } }, { now: NOW })
  const bodies = async () => {
    const entries = [await findEntryById(live, idOf('about')), await findEntryById(live, idOf('news'))]
    return [...entries.map((entry) => entry?.body), (await findSiteSettings(live)).tagline]
  }
  const select = (...selected: SelectedChange[]) => takeSelected(live, db, selected, { now: NOW })
  const [ofAbout, ofSite] = [
    { subject: 'entry', subjectId: about },
    { subject: 'setting', subjectId: 'site' },
  ] as const
  await select(ofAbout, ofSite)
  assert.deepEqual(await bodies(), ['', '', null])
  await select({ subject: 'entry', subjectId: news, draft: 'a' }, ofSite)
  assert.deepEqual(await bodies(), ['', 'Draft of news', null])
  await select({ ...ofAbout, draft: 'a' }, { ...ofSite, draft: 'a' })
  assert.deepEqual(await bodies(), ['Draft of about', 'Draft of news', 'Later'])
})

async function termRow(db: Db, id = 0) {
  return db.selectFrom('taxonomy_terms').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

test('entries go live and end on their own when they are due', async (t) => {
  const { db, live, idOf, service } = await aSite(t)
  const since = '2026-11-20T11:00:00.000Z'
  const [before, between, after] = [
    '2026-11-20T10:59:00.000Z',
    '2026-11-20T11:30:00.000Z',
    '2026-11-20T12:30:00.000Z',
  ]
  const page = (slug: string, values: object) => addEntry(db, 'pages', { slug, title: slug, ...values })
  await page('due', { publishAt: between })
  await page('later', { publishAt: after })
  await page('earlier', { publishAt: before })
  await page('exact', { publishAt: CLOCK.now })
  await editEntry(db, idOf('news'), { body: 'Not yet' })
  await db
    .updateTable('content_entries')
    .set({ unpublish_at: between })
    .where('id', '=', idOf('about'))
    .execute()
  await live
    .updateTable('content_entries')
    .set({ publish_at: after })
    .where('id', '=', idOf('news'))
    .execute()
  const take = () => takeDueEntries(live, db, { since, now: NOW })
  assert.deepEqual(await take(), [])
  assert.equal(await slugsIn(live, 'pages'), 'due exact news')
  assert.equal((await findEntryById(live, idOf('news')))?.publishAt, null)
  assert.equal((await findEntryById(live, idOf('news')))?.body, '')

  const heating = {
    slug: 'heating',
    id: await addEntry(db, 'services', { slug: 'heating', title: 'Heating', publishAt: between }),
  }
  await offer(db, heating, { slug: 'austin', id: idOf('austin') })
  await offer(db, heating, { slug: 'dallas', id: idOf('dallas') }, { status: 'draft' })
  await offer(db, heating, { slug: 'ohio', id: idOf('ohio') }, { publishAt: after })
  await db.updateTable('content_entries').set({ publish_at: between }).where('id', '=', service.id).execute()
  await db.deleteFrom('content_entries').where('id', '=', idOf('ac-repair/dallas')).execute()
  assert.deepEqual(await take(), [])
  assert.equal(await slugsIn(live), 'ac-repair/austin heating/austin')
  const hidden = { slug: 'hidden', id: await addEntry(db, 'services', { slug: 'hidden', status: 'draft' }) }
  await offer(db, hidden, { slug: 'ohio', id: idOf('ohio') }, { publishAt: between })
  const problems = await take()
  assert.equal(problems.length, 1)
  assert.match(problems[0] ?? '', /hidden|Hidden/)
})

test('settings go live with their pictures and the form that they name', async (t) => {
  const { db, live } = await aSite(t)
  await takeSettings(live, db, [], CLOCK)
  for (const name of ['logo.jpg', 'other.jpg']) await savePicture(db, aPicture({ name }), CLOCK)
  await db.updateTable('forms').set({ slug: 'queue' }).where('slug', '=', 'waitlist').execute()
  const changes = { logo: 'logo.jpg', tagline: 'Cool', default_form: 'queue' }
  assert.equal((await changeSiteSettings(db, { changes }, { now: NOW })).kind, 'saved')
  await takeSettings(live, db, [], CLOCK)
  assert.equal((await findSiteSettings(live)).tagline, null)
  await takeSettings(live, db, ['site'], CLOCK)
  const { tagline, logo, default_form } = await findSiteSettings(live)
  assert.deepEqual([tagline, logo, default_form], ['Cool', 'logo.jpg', 'waitlist'])
  assert.deepEqual(await live.selectFrom('library_pictures').select('name').execute(), [{ name: 'logo.jpg' }])
  const draft = { ...DEFAULT_SITE_SETTINGS, tagline: 'Drafted' }
  await takeSettings(live, db, ['site'], { ...CLOCK, draft })
  assert.equal((await findSiteSettings(live)).tagline, 'Drafted')
})

test('a selection takes each of its changes, and nothing else', async (t) => {
  const { db, live, service } = await aSite(t)
  const select = (...changes: [ContentChange['subject'], number | string][]) =>
    takeSelected(
      live,
      db,
      changes.map(([subject, id]) => ({ subject, subjectId: `${id}` })),
      { now: NOW },
    )
  const idIn = async (table: 'forms' | 'taxonomies' | 'content_types', slug: string) =>
    (await db.selectFrom(table).select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
  const nameOf = async (table: 'forms' | 'taxonomies' | 'content_types', slug: string) =>
    (await live.selectFrom(table).select('name').where('slug', '=', slug).executeTakeFirst())?.name
  const rename = (table: 'forms' | 'taxonomies' | 'content_types', slug: string, values: object) =>
    db.updateTable(table).set(values).where('slug', '=', slug).execute()
  const form = await idIn('forms', 'waitlist')
  await editEntry(db, service.id, { data: { form: 'waitlist' } })
  await select(['entry', service.id])
  await rename('forms', 'waitlist', { name: 'Queue', slug: 'queue' })
  await db
    .updateTable('form_fields')
    .set({ label: 'Who?' })
    .where('form_id', '=', form)
    .where('position', '=', 0)
    .execute()
  await rename('taxonomies', 'locations', { name: 'Areas' })
  await rename('content_types', 'pages', { name: 'Articles' })
  for (const name of ['a.jpg', 'b.jpg']) await savePicture(db, aPicture({ name }), CLOCK)
  assert.deepEqual(await select(), [])
  const names = async () => [
    ...[await nameOf('forms', 'waitlist'), await nameOf('forms', 'queue')],
    ...[await nameOf('taxonomies', 'locations'), await nameOf('content_types', 'pages')],
  ]
  assert.deepEqual(await names(), ['Waitlist', undefined, 'Locations', 'Pages'])
  await select(['form', form], ['taxonomy', await idIn('taxonomies', 'locations')], ['picture', 'a.jpg'])
  assert.deepEqual(await names(), [undefined, 'Queue', 'Areas', 'Pages'])
  const labels = await live
    .selectFrom('form_fields')
    .select('label')
    .where('form_id', '=', form)
    .orderBy('position')
    .execute()
  assert.equal(labels[0]?.label, 'Who?')
  assert.equal((await findEntryById(live, service.id))?.data.form, 'queue', 'its page keeps it')
  await select(['type', await idIn('content_types', 'pages')])
  assert.equal((await names())[3], 'Articles')
  assert.equal(await slugsIn(live, 'pages'), 'about news', 'its entries stay')
  const pictures = async () =>
    (await live.selectFrom('library_pictures').select('name').execute()).map(({ name }) => name)
  assert.deepEqual(await pictures(), ['a.jpg'])
  await db.deleteFrom('library_pictures').where('name', '=', 'a.jpg').execute()
  await select(['picture', 'a.jpg'])
  assert.deepEqual(await pictures(), [])

  // A page that the copy makes takes over the saved one.
  await editEntry(db, service.id, { data: { form: 'queue', offered_in: ['texas/*', 'ohio'] } })
  await select(['entry', service.id])
  const saved = await db
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair/ohio')
    .executeTakeFirst()
  const shown = await live
    .selectFrom('content_entries')
    .select('id')
    .where('slug', '=', 'ac-repair/ohio')
    .executeTakeFirst()
  assert.ok(saved && shown)
  assert.deepEqual(shown, saved)
})

test('changes that the live content has already are ahead', async (t) => {
  const { db, live, idOf } = await aSite(t)
  const form = await db
    .selectFrom('forms')
    .select('id')
    .where('slug', '=', 'waitlist')
    .executeTakeFirstOrThrow()
  const idOfType = async (table: 'taxonomies' | 'content_types', slug: string) =>
    (await db.selectFrom(table).select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
  const typesOf = {
    taxonomy: await idOfType('taxonomies', 'locations'),
    type: await idOfType('content_types', 'pages'),
  }
  const subjects: [ContentChange['subject'], number | string][] = [
    ['entry', idOf('about')],
    ['entry_terms', idOf('news')],
    ['term', idOf('austin')],
    ['form', form.id],
    ['form_file', 'forms/waitlist.yaml'],
    ['picture', 'a.jpg'],
    ['setting', 'site'],
    ['entry', 9_999],
    ['form', 9_999],
    ['taxonomy', typesOf.taxonomy],
    ['type', typesOf.type],
  ]
  const logged = subjects.map(([subject, id], index) => ({
    ...{ subject, subjectId: `${id}`, changeId: index, savedAt: CLOCK.now },
  }))
  const find = async () => (await findAhead(live, db, { logged, now: NOW })).map(({ subject }) => subject)
  const all = [
    'entry',
    'entry_terms',
    'term',
    'form',
    'picture',
    'setting',
    'entry',
    'form',
    'taxonomy',
    'type',
  ]
  assert.deepEqual(await find(), all)
  const without = (subject: string, position = 0) =>
    all.filter((one, index) => one !== subject || index !== position)
  await db
    .updateTable('content_entries')
    .set({ updated_at: 'later', publish_at: CLOCK.now })
    .where('id', '=', idOf('about'))
    .execute()
  assert.deepEqual(await find(), all, 'a date is no difference')
  await editEntry(db, idOf('about'), { body: 'New' })
  assert.deepEqual(await find(), without('entry'))
  await editEntry(db, idOf('about'), { body: '' })
  const { typeId = 0 } = (await findEntryById(db, idOf('news'))) ?? {}
  await replaceEntryTerms(db, typeId, new Map([[idOf('news'), [idOf('austin')]]]))
  assert.deepEqual(await find(), without('entry_terms', 1))
  await replaceEntryTerms(live, typeId, new Map([[idOf('news'), [idOf('austin')]]]))
  assert.deepEqual(await find(), all)
  await editEntry(db, idOf('about'), { status: 'draft' })
  assert.deepEqual(await find(), without('entry'))
  await live.deleteFrom('content_entries').where('id', '=', idOf('about')).execute()
  assert.deepEqual(await find(), all, 'visitors see neither')
  await editPlace(db, idOf('austin'), { name: 'Austin TX' })
  assert.deepEqual(await find(), without('term', 2))
  await editPlace(db, idOf('austin'), { name: 'Austin' })
  await db
    .updateTable('form_fields')
    .set({ label: 'Who?' })
    .where('form_id', '=', form.id)
    .where('position', '=', 0)
    .execute()
  assert.deepEqual(await find(), without('form', 3))
  await live
    .updateTable('form_fields')
    .set({ label: 'Who?' })
    .where('form_id', '=', form.id)
    .where('position', '=', 0)
    .execute()
  await savePicture(db, aPicture({ name: 'a.jpg' }), CLOCK)
  assert.deepEqual(await find(), without('picture', 4))
  await db.deleteFrom('library_pictures').execute()
  await changeSiteSettings(db, { changes: { tagline: 'Cool' } }, { now: NOW })
  assert.deepEqual(await find(), without('setting', 5))
  await live.deleteFrom('settings').execute()
  for (const row of await db.selectFrom('settings').selectAll().execute())
    await live.insertInto('settings').values(row).execute()
  const known = await find()
  await db.updateTable('taxonomies').set({ name: 'Areas' }).where('id', '=', typesOf.taxonomy).execute()
  await db.updateTable('content_types').set({ name: 'Articles' }).where('id', '=', typesOf.type).execute()
  assert.deepEqual(
    await find(),
    known.filter((one) => one !== 'taxonomy' && one !== 'type'),
  )
  assert.equal(known.at(-1), 'type')
})
