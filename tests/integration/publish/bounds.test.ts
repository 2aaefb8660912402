import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { silentProgress } from '#src/lib/progress.ts'
import { listFirstChanges } from '#src/publish/plan/list-first-changes.ts'
import type { PageChange, ReleasePlan } from '#src/publish/plan/plan-release.ts'
import { loadPublishOverview } from '#src/publish/plan/publish-overview.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { addQuality, NO_QUALITY, withPage } from '#src/publish/quality-summary.ts'
import { recordPublish } from '#src/publish/record-publish.ts'
import { listReleases, releaseAt, removeOldReleases } from '#src/publish/release/release.ts'
import { verifyRelease } from '#src/publish/release/verify-release.ts'
import type { PageQuality } from '#src/site/quality/page-quality.ts'
import { openTestDatabase, temporaryFolder } from '#tests/support/database.ts'
import { addEntry } from '#tests/support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const UNCHANGED = { added: 0, changed: 0, removed: 0, unchanged: 1, bytes: 1, causes: [] }
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

function record(db: Parameters<typeof recordPublish>[0], dataDir: string, problems: string[] = []) {
  const release = releaseAt(dataDir, '20261120T100000000Z')
  const plan = UNCHANGED as Partial<ReleasePlan> as ReleasePlan
  const options = { dataDir, progress: silentProgress, now: () => NOW }
  return recordPublish(db, options, async () => ({
    ...({ kind: 'unchanged', scope: 'changes', changeId: 1 } as const),
    ...{ release, plan, problems, brokenLinks: [] },
  }))
}

test('the last 1,000 publishes are kept', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const earlier = times(999, () => ({
    ...({
      machine: 'here',
      started_by: 'command',
      started_at: NOW.toISOString(),
      status: 'unchanged',
    } as const),
  }))
  await db.insertInto('publishes').values(earlier).execute()
  const count = async () => (await listPublishes(db, { limit: 2_000 })).length
  await record(db, dataDir)
  assert.equal(await count(), 1_000)
  await record(db, dataDir)
  assert.equal(await count(), 1_000)
  assert.equal((await listPublishes(db, { limit: 2_000 })).at(-1)?.id, 2)
})

test('a publish keeps up to 20 reasons', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  for (const [given, kept] of [
    [20, 20],
    [21, 20],
  ] as const) {
    await record(db, dataDir, times(given, String))
    const [newest] = await listPublishes(db, { limit: 1 })
    assert.deepEqual(newest?.reasons, times(kept, String))
  }
})

test('up to 200 changed pages are listed before a publish', () => {
  for (const [differing, listed] of [
    [200, 200],
    [201, 200],
  ] as const) {
    const { changes, onChange } = listFirstChanges()
    for (const change of ['same', ...times(differing, () => 'changed')])
      onChange({ change } as Partial<PageChange> as PageChange)
    assert.equal(changes.length, listed)
    assert.ok(changes.every(({ change }) => change === 'changed'))
  }
})

test('the last five releases are kept', async (t) => {
  const dataDir = temporaryFolder(t)
  const make = (day: number) =>
    mkdirSync(releaseAt(dataDir, `2026110${day}T000000000Z`).siteDir, { recursive: true })
  const days = async () => (await listReleases(dataDir)).map(({ id }) => Number(id[7]))
  for (const day of [1, 2, 3, 4, 5]) make(day)
  await removeOldReleases(dataDir)
  assert.deepEqual(await days(), [5, 4, 3, 2, 1])
  make(6)
  await removeOldReleases(dataDir)
  assert.deepEqual(await days(), [6, 5, 4, 3, 2])
})

test('up to 100 broken links are listed', (t) => {
  const release = releaseAt(temporaryFolder(t), '20261120T100000000Z')
  mkdirSync(release.siteDir, { recursive: true })
  for (const [links, listed] of [
    [100, 100],
    [101, 100],
  ] as const) {
    const broken = times(links, (index) => ({ page: '/page', target: `/gone-${index}` }))
    assert.equal(verifyRelease(release, { pages: 0, links: broken }).length, listed, String(links))
  }
})

test('the eight pages closest to being listed are named', () => {
  const page = (score: number) => ({ score, entryId: score, isListed: false }) as PageQuality
  const closest = (count: number) => times(count, page).reduce(withPage, NO_QUALITY).closest
  assert.deepEqual(
    [8, 9].map((count) => closest(count).map(({ score }) => score)),
    [
      [7, 6, 5, 4, 3, 2, 1, 0],
      [8, 7, 6, 5, 4, 3, 2, 1],
    ],
  )
})

test('of equally close pages the first addresses are named, in whatever order they are compared', () => {
  const pages = times(10, (index) => ({ score: 5, entryId: index, path: `/p${index}` }) as PageQuality)
  const summaryOf = (some: readonly PageQuality[]) => some.reduce(withPage, NO_QUALITY)
  const first = times(8, (index) => `/p${index}`)
  for (const all of [pages, pages.toReversed()]) {
    assert.deepEqual(
      summaryOf(all).closest.map(({ path }) => path),
      first,
    )
    const parts = [summaryOf(all.slice(0, 5)), summaryOf(all.slice(5))] as const
    assert.deepEqual(
      addQuality(...parts).closest.map(({ path }) => path),
      first,
    )
  }
})

test('the next five schedule changes are listed', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const titles = async () => {
    const { upcoming } = await loadPublishOverview(db, { dataDir, now: NOW, page: 1 })
    return upcoming.map(({ entry }) => entry.name)
  }
  const add = (day: number) =>
    addEntry(db, 'pages', { slug: `p${day}`, title: `P${day}`, publishAt: `2026-12-0${day}T00:00:00.000Z` })
  for (const day of [1, 2, 3, 4, 5]) await add(day)
  assert.deepEqual(await titles(), ['P1', 'P2', 'P3', 'P4', 'P5'])
  await add(6)
  assert.deepEqual(await titles(), ['P1', 'P2', 'P3', 'P4', 'P5'])
})
