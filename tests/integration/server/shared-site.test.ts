import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsPostgres } from '#tests/support/postgres-database.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { startSharedSite } from '#tests/support/shared-servers.ts'

const FOLLOWED_WITHIN_MS = 2_000

test('servers of one site show one release', needsPostgres, async (t) => {
  const site = await startSharedSite(t)
  const a = await site.start()
  const b = await site.start()
  await t.test('one that joins has it before it is healthy', async () => {
    assert.equal((await b.health()).release, (await a.health()).release)
    assert.equal(await b.read('/sitemap-0.xml'), await a.read('/sitemap-0.xml'))
  })
  await t.test('a publish on one is on the other within two seconds', async () => {
    await site.setTitle('ac-repair', 'Repair by A')
    await a.publish()
    const startedAt = performance.now()
    await waitFor(async () => (await b.read('/services/ac-repair')).includes('Repair by A'))
    const tookMs = performance.now() - startedAt
    t.diagnostic(`followed after ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < FOLLOWED_WITHIN_MS)
    assert.equal((await b.health()).release, (await a.health()).release)
  })
})
