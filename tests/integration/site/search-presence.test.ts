import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { loadJudgedCoverage } from '#src/site/quality/judged-coverage.ts'
import type { RecordedQuality } from '#src/site/quality/page-quality-store.ts'
import { savePageQuality } from '#src/site/quality/page-quality-store.ts'
import { countPagesInSearch } from '#src/site/quality/search-presence-store.ts'
import { loadUnlistedPages } from '#src/site/quality/unlisted-pages.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

const FACTS: RecordedQuality['facts'] = {
  ...{ ownWords: 0, copied: 0, twinPath: null, pageWords: 0, placeWords: 0, placesBelow: 0 },
  ...{ hasAddress: false, hasPhone: false, hasMap: false, testimonial: null },
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  describe(`pages missing from search on ${engine.name}`, () => {
    let db: Kysely<Schema>
    let places: Map<string, number>
    const services = new Map<string, number>()
    before(async () => {
      db = await engine.openMigrated()
      places = await addPlaces(db, 'usa/texas/austin/mueller', 'usa/texas/dallas', 'usa/ohio/akron')
      for (const slug of ['ac-repair', 'drains'])
        services.set(slug, await addEntry(db, 'services', { slug, title: slug }))
      await judge('ac-repair', 'austin', { score: 80, isGenerated: false })
      await judge('ac-repair', 'mueller', { score: 12, isGenerated: false })
      await judge('ac-repair', 'dallas', { score: 10, isGenerated: true })
      await judge('ac-repair', 'akron', { score: 11, isGenerated: true })
      await judge('drains', 'dallas', { score: 13, isGenerated: true })
    })
    after(() => engine.close())

    const idOf = (map: Map<string, number>, slug: string) => map.get(slug) as number

    async function judge(
      service: string,
      place: string,
      { score, isGenerated }: { score: number; isGenerated: boolean },
    ) {
      const pair = [
        { slug: service, id: idOf(services, service) },
        { slug: place, id: idOf(places, place) },
      ] as const
      const entryId = await offer(db, ...pair, { isGenerated })
      await savePageQuality(db, [{ entryId, score, isListed: score >= 40, facts: FACTS }])
    }

    async function unlisted(service?: string, place?: string) {
      const question = {
        serviceId: service && idOf(services, service),
        placeId: place && idOf(places, place),
      } as { serviceId: number | undefined; placeId: number | undefined }
      const { pages } = await loadUnlistedPages(db, { ...question, after: undefined })
      return pages.map(({ slug }) => slug)
    }

    async function cells(branch?: string) {
      const coverage = await loadJudgedCoverage(db, { branch })
      const column = coverage?.services.findIndex(({ title }) => title === 'ac-repair') ?? 0
      return new Map(coverage?.rows.map(({ place, cells }) => [place.slug, cells[column]]))
    }

    test('the pages are counted', async () => {
      assert.deepEqual(await countPagesInSearch(db), { pages: 5, listed: 1 })
    })

    test('the list is filtered by service, and by place with all below it', async () => {
      assert.deepEqual(await unlisted(), [
        'drains/dallas',
        'ac-repair/mueller',
        'ac-repair/akron',
        'ac-repair/dallas',
      ])
      assert.deepEqual(await unlisted('drains'), ['drains/dallas'])
      assert.deepEqual(await unlisted(undefined, 'austin'), ['ac-repair/mueller'])
      assert.deepEqual(await unlisted('ac-repair', 'texas'), ['ac-repair/mueller', 'ac-repair/dallas'])
      assert.deepEqual(await unlisted('drains', 'ohio'), [])
    })

    test('coverage shows them as a separate state, in places and branches', async () => {
      const texas = await cells('texas')
      assert.equal(texas.get('dallas')?.state, 'unlisted')
      assert.equal(texas.get('dallas')?.score, 10)
      assert.equal(texas.get('austin')?.state, 'overridden')
      assert.deepEqual(texas.get('austin')?.counts, {
        offered: 0,
        overridden: 1,
        unlisted: 1,
        draft: 0,
        missing: 0,
      })
      const coverage = await loadJudgedCoverage(db, {})
      assert.deepEqual(coverage?.counts, { offered: 0, overridden: 1, unlisted: 4, draft: 0, missing: 9 })
    })

    test('a page that became a draft since the last publish is a draft', async () => {
      await db
        .updateTable('content_entries')
        .set({ status: 'draft' })
        .where('slug', '=', 'ac-repair/dallas')
        .execute()
      const dallas = (await cells('texas')).get('dallas')
      assert.deepEqual([dallas?.state, dallas?.counts.unlisted], ['draft', 0])
    })

    test('pages whose service became a draft since the last publish are drafts', async () => {
      await db
        .updateTable('content_entries')
        .set({ status: 'draft' })
        .where('slug', '=', 'ac-repair')
        .execute()
      const texas = await cells('texas')
      assert.deepEqual(texas.get('austin')?.counts, {
        ...{ offered: 0, overridden: 0, unlisted: 0, draft: 2, missing: 0 },
      })
      const { counts } = (await loadJudgedCoverage(db, {})) ?? {}
      assert.deepEqual(counts, { offered: 0, overridden: 0, unlisted: 1, draft: 4, missing: 9 })
    })
  })
}
