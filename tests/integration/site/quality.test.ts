import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { replaceEntryTerms } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { createFingerprint } from '#src/site/content/fingerprint.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { partsOf, scoreOf } from '#src/site/quality/page-quality.ts'
import { listUnlistedPages } from '#src/site/quality/page-quality-store.ts'
import { recordQuality } from '#src/site/quality/record-quality.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const AUSTIN = `Austin is where we started, in a two-bay garage in 1998, and it still has our largest crew. From the shop
in the southeast we reach most addresses inside the city in half an hour. West of the fault line houses stand on
limestone, with the air handler in a closet; east of it there is clay, and the pad outside tilts a little every year.`

// Another town's name and year do not make another text.
const COPY = AUSTIN.replace('Austin', 'Dallas').replace('1998', '2003')

const OTHER = `Plano roofers are busy every spring, and so are we. Hail flattens the fins on the west side of the outdoor
unit, and the system then runs hot until something gives in July. Have it combed and photographed before the heat comes;
your insurer will ask for the pictures, and we keep them for three years in case the adjuster loses his.`

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'usa/texas/austin/hyde-park', 'usa/texas/dallas', 'usa/texas/plano')
  const place = (slug: string) => ({ slug, id: places.get(slug) as number })
  const body = 'We fix what can be fixed and say so when it cannot. '.repeat(30)
  const id = await addEntry(db, 'services', { slug: 'ac-repair', title: 'AC repair', body })
  return { db, place, service: { slug: 'ac-repair', id } }
}

type Site = Awaited<ReturnType<typeof aSite>>

async function pagesOf({ db }: Pick<Site, 'db'>) {
  const pages = new Map<string, Page>()
  for await (const page of listPages(db, { siteUrl: 'https://example.com' })) pages.set(page.path, page)
  return pages
}

async function qualityOf(site: Pick<Site, 'db'>, place: string) {
  const page = (await pagesOf(site)).get(`/services/ac-repair/${place}`)
  assert.ok(page?.quality)
  assert.equal(page.view.head.isHidden, !page.quality.isListed)
  return { ...page.quality, parts: partsOf(page.quality.facts) }
}

test('two places below a page count as local substance', () => {
  const nothing = { ownWords: 0, copied: 0, twinPath: null, pageWords: 0, placeWords: 0, testimonial: null }
  const facts = { ...nothing, hasAddress: false, hasPhone: false, hasMap: false }
  assert.deepEqual(
    [0, 1, 2, 3].map((placesBelow) => scoreOf({ ...facts, placesBelow })),
    [0, 0, 10, 10],
  )
})

test('a page without unique content asks search engines not to list it', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { isGenerated: true })
  const { isListed, score, parts } = await qualityOf(site, 'austin')
  assert.deepEqual([isListed, score], [false, 10])
  assert.match(parts[0]?.advice ?? '', /Write 80 more words unique to this place/)
})

test('the service’s text in a place’s own text counts for the page, and not as unique', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { isGenerated: true })
  const inherited = (await qualityOf(site, 'austin')).facts.pageWords
  await offer(site.db, site.service, site.place('dallas'), { body: 'Three own words.\n\n{{service}}' })
  const { ownWords, pageWords } = (await qualityOf(site, 'dallas')).facts
  assert.deepEqual([ownWords, pageWords], [3, inherited + 3])
})

test('a page with its own text, testimonial, address, phone number, and map is listed', async (t) => {
  const site = await aSite(t)
  const ann = await addEntry(site.db, 'testimonials', {
    slug: 'ann',
    title: 'Ann',
    data: { service: 'ac-repair' },
  })
  const type = await findContentType(site.db, 'testimonials')
  await replaceEntryTerms(site.db, type?.id as number, new Map([[ann, [site.place('hyde-park').id]]]))
  await offer(site.db, site.service, site.place('austin'), {
    data: {
      intro: AUSTIN,
      address: 'Bluebonnet\n1218 Limestone Yard Road\nAustin, TX 78744',
      phone: '(512) 555-0142',
      map_embed_url: 'https://www.openstreetmap.org/export/embed.html',
    },
  })
  const { isListed, score, facts } = await qualityOf(site, 'austin')
  assert.ok(isListed && score > 80, String(score))
  assert.equal(facts.testimonial, 'service')
  assert.deepEqual([facts.hasAddress, facts.hasPhone, facts.hasMap], [true, true, true])
})

test('near copies aren’t listed, and each names the page it resembles', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { data: { intro: AUSTIN } })
  assert.equal((await qualityOf(site, 'austin')).isListed, true)
  await offer(site.db, site.service, site.place('dallas'), { data: { intro: COPY } })
  for (const [place, twin] of [
    ['austin', 'dallas'],
    ['dallas', 'austin'],
  ] as const) {
    const { isListed, facts, parts } = await qualityOf(site, place)
    assert.deepEqual([isListed, facts.copied], [false, 1])
    assert.match(parts[0]?.advice ?? '', new RegExp(`100% of it is also on /services/ac-repair/${twin}`))
  }
})

test('two pages with different texts are both listed', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { data: { intro: AUSTIN } })
  await offer(site.db, site.service, site.place('plano'), { data: { intro: OTHER } })
  for (const place of ['austin', 'plano']) assert.equal((await qualityOf(site, place)).isListed, true)
})

test('an address elsewhere and the site’s phone number aren’t local substance', async (t) => {
  const site = await aSite(t)
  const settings = siteSettings.parse({ name: 'Bluebonnet', phone: '(512) 555-0142' })
  await saveSiteSettings(site.db, settings, { now: '2026-11-20T10:00:00.000Z' })
  await offer(site.db, site.service, site.place('dallas'), {
    data: { address: '1218 Limestone Yard Road\nAustin, TX 78744', phone: '+1 512 555 0142' },
  })
  const { facts } = await qualityOf(site, 'dallas')
  assert.deepEqual([facts.hasAddress, facts.hasPhone], [false, false])
})

test('drafts and the service’s own text are excluded from the comparison', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { data: { intro: AUSTIN } })
  await offer(site.db, site.service, site.place('dallas'), { status: 'draft', data: { intro: COPY } })
  assert.equal((await qualityOf(site, 'austin')).facts.copied, 0)
})

test('quality_threshold in site.yaml decides; 0 lists every page', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { isGenerated: true })
  const settings = siteSettings.parse({ name: 'Bluebonnet', quality_threshold: 0 })
  await saveSiteSettings(site.db, settings, { now: '2026-11-20T10:00:00.000Z' })
  assert.equal((await qualityOf(site, 'austin')).isListed, true)
  assert.throws(() => siteSettings.parse({ name: 'Bluebonnet', quality_threshold: 101 }))
})

test('a text that makes another page a copy changes only that page', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { data: { intro: AUSTIN } })
  await offer(site.db, site.service, site.place('plano'), { data: { intro: OTHER } })
  await offer(site.db, site.service, site.place('dallas'), { data: { intro: 'Here.' } })
  const before = await fingerprintsOf(site)
  const data = JSON.stringify({
    service_entry_id: site.service.id,
    location_term_id: site.place('dallas').id,
    intro: COPY,
  })
  await site.db
    .updateTable('content_entries')
    .set({ data_json: data })
    .where('slug', '=', 'ac-repair/dallas')
    .execute()
  const after = await fingerprintsOf(site)
  const changed = [...after].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path)
  assert.deepEqual(changed.sort(), ['/services/ac-repair/austin', '/services/ac-repair/dallas'])
})

test('findings are stored for the admin: added, changed, and removed', async (t) => {
  const site = await aSite(t)
  await offer(site.db, site.service, site.place('austin'), { data: { intro: AUSTIN } })
  await offer(site.db, site.service, site.place('dallas'), { isGenerated: true })
  const found = async () => [...(await pagesOf(site)).values()].flatMap(({ quality }) => quality ?? [])
  const looked = { shownAt: new Date(), isWhole: true }
  await recordQuality(site.db, await found(), looked)
  await recordQuality(site.db, await found(), looked)
  const [unlisted, ...more] = await listUnlistedPages(site.db, { limit: 10 })
  assert.deepEqual([unlisted?.slug, unlisted?.score, more.length], ['ac-repair/dallas', 10, 0])
  const stored = () => site.db.selectFrom('page_quality').select('entry_id').execute()
  const hide = (slug: string) =>
    site.db.updateTable('content_entries').set({ status: 'draft' }).where('slug', '=', slug).execute()
  await hide('ac-repair/dallas')
  await recordQuality(site.db, [], looked)
  assert.equal((await stored()).length, 1)
  // A page is only on the site with its service.
  await hide('ac-repair')
  await recordQuality(site.db, [], looked)
  assert.deepEqual(await stored(), [])
})

async function fingerprintsOf(site: Site) {
  const fingerprint = createFingerprint('templates')
  return new Map([...(await pagesOf(site)).values()].map((page) => [page.path, fingerprint(page)]))
}

test('a page in a language without spaces is scored like any other', async (t) => {
  const site = await aSite(t)
  const intro =
    '札幌市では雪の重みで室外機の架台がよく曲がります。私たちは冬の前に架台を点検し、必要なら高さを変えて取り付け直します。' +
    '市内には三つの班があり、中央区と豊平区には三十分ほどで伺えます。古い集合住宅では配管が壁の中を通っているので、まず内視鏡で' +
    '場所を確かめてから、作業の前に料金をお知らせします。夜間の凍結には電話で応急の方法をお伝えします。'
  await offer(site.db, site.service, site.place('austin'), { data: { intro } })
  const { isListed, facts } = await qualityOf(site, 'austin')
  assert.ok(facts.ownWords >= 60, String(facts.ownWords))
  assert.equal(isListed, true)
})
