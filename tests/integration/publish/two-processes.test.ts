import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { readNewest } from '#src/publish/ledger/newest-release.ts'
import { countJobs, runShares } from '#src/publish/render/run-shares.ts'
import { emptyOutcome, type PageShare, type WorkRange } from '#src/publish/render/share-work.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'

test('two processes share the pages of a publish and make the same site as one', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  const { dataDir, publish, setTitle } = await aPublishedSite(t, db)
  const alone = temporaryFolder(t)
  const now = () => new Date('2026-11-20T10:00:00.000Z')
  const databaseUrl = `file:${path}`
  const single = await publish({ dataDir: alone, now, jobs: 1 })
  const shared = await publish({ now, databaseUrl, jobs: 2, full: true })
  assert.equal(shared.kind, 'published')
  const [ofTwo, ofOne] = [shared, single].map(({ plan: { quality } }) => ({
    ...quality,
    closest: quality.closest.toSorted((a, b) => a.entryId - b.entryId),
  }))
  assert.deepEqual(ofTwo, ofOne)
  assert.deepEqual(readNewest(dataDir), readNewest(alone))
  await setTitle('Cool in Dallas')
  const { scope, plan } = await publish({ now, databaseUrl, jobs: 2 })
  assert.deepEqual([scope, plan.changed], ['changes', 1])
})

test('a second process is started for 4,000 pages or more, unless the number is given', () => {
  const most = availableParallelism()
  assert.deepEqual(
    [0, 3_999].map((pages) => countJobs(pages)),
    [1, 1],
  )
  assert.equal(countJobs(4_000), Math.min(2, most))
  assert.equal(countJobs(1_000_000_000), most)
  assert.equal(countJobs(4_000, 1), 1)
})

test('each range of pages is compared once, by a process that is ready', async () => {
  const taken: string[] = []
  const aShare = (name: string, joins?: boolean): PageShare => ({
    ...(joins !== undefined && { joins: async () => joins }),
    async range(range) {
      taken.push(name)
      await new Promise((resolve) => setImmediate(resolve))
      return { ...emptyOutcome(), links: [{ page: name, target: JSON.stringify(range) }] }
    },
    async finish() {},
  })
  const ranges = Array.from({ length: 9 }, (_, index): WorkRange => ({ kind: 'some', entryIds: [index] }))
  const found: string[] = []
  const shares = [aShare('first'), aShare('late', true), aShare('never', false)]
  await runShares(shares, ranges, ({ links }) => found.push(...links.map(({ target }) => target)))
  assert.deepEqual(found.toSorted(), ranges.map((range) => JSON.stringify(range)).toSorted())
  assert.deepEqual([...new Set(taken)].toSorted(), ['first', 'late'])
  const failing = { ...aShare('failing'), range: () => Promise.reject(new Error('no')) }
  await assert.rejects(
    runShares([failing], ranges, () => {}),
    { message: 'no' },
  )
})
