import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { readNewest } from '#src/publish/ledger/newest-release.ts'
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
  for (const title of ['One', 'Two']) {
    await setTitle(title)
    const single = await publish({ dataDir: alone, now, jobs: 1 })
    const shared = await publish({ now, databaseUrl, jobs: 2, full: true })
    assert.equal(shared.kind, 'published')
    const [ofTwo, ofOne] = [shared, single].map(({ plan: { quality } }) => ({
      ...quality,
      closest: quality.closest.toSorted((a, b) => a.entryId - b.entryId),
    }))
    assert.deepEqual(ofTwo, ofOne)
    assert.deepEqual(readNewest(dataDir), readNewest(alone))
  }
  await setTitle('Three')
  const { scope, plan } = await publish({ now, databaseUrl, jobs: 2 })
  assert.deepEqual([scope, plan.changed], ['changes', 1])
})
