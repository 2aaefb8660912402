import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { migrate } from '../../../src/db/migrate.ts'
import type { Schema } from '../../../src/db/schema.ts'
import { claimDueDeliveries } from '../../../src/webhooks/claim-due-deliveries.ts'
import { recordAttempt } from '../../../src/webhooks/record-attempt.ts'
import type { Attempt } from '../../../src/webhooks/send-attempt.ts'
import { openTestDatabase, pgliteEngine } from '../../support/database.ts'
import { haveWebhooks, listAttempts, SITE_URL, secretBox, submit } from './webhook-world.ts'

const NOW = new Date('2026-11-20T10:00:01.000Z')
const LEASE_MS = 60_000
const DELIVERED: Attempt = {
  ...{ kind: 'delivered', status: 200, startedAt: NOW, durationMs: 5 },
  ...{ responseHeaders: {}, responseBody: 'ok' },
}
const RECORDING = { now: NOW, random: () => 0.5, retryScheduleMs: [1_000] }

async function claim(db: Kysely<Schema>, { limit = 32, perOrigin = 8, now = NOW } = {}) {
  const inFlight = new Map<string, number>()
  const limits = { now, leaseMs: LEASE_MS, limit, perOrigin, inFlight }
  return (await claimDueDeliveries(db, { ...limits, secretBox, siteUrl: SITE_URL })).ready
}

const pglite = pgliteEngine()
after(() => pglite.close())

async function openPglite() {
  const db = await pglite.openEmpty()
  await migrate(db)
  return db
}

for (const [engine, open] of [
  ['SQLite', openTestDatabase],
  ['PostgreSQL', openPglite],
] as const) {
  test(`${engine}: a claimed delivery is nobody else's until its lease ends, and keeps its body`, async (t) => {
    const db = await open(t)
    await haveWebhooks(db, { url: 'https://a.example.com' })
    await submit(db)
    const [first] = await claim(db)
    assert.deepEqual(await claim(db), [])
    const [second] = await claim(db, { now: new Date(NOW.getTime() + LEASE_MS) })
    assert.equal(second?.job.id, first?.job.id)
    assert.equal(second?.body, first?.body)
    assert.equal(second?.job.requestBody, first?.body)

    await recordAttempt(db, first as NonNullable<typeof first>, { ...DELIVERED }, RECORDING)
    const lost = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
    assert.equal(lost.status, 'delivering', 'a claim that was lost changes nothing')

    await recordAttempt(db, second as NonNullable<typeof second>, { ...DELIVERED }, RECORDING)
    const row = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.status, row.attempt_count, row.lease_expires_at], ['delivered', 1, null])
    assert.deepEqual([row.next_attempt_at, row.finished_at], [null, NOW.toISOString()])
    assert.equal((await listAttempts(db)).length, 2)
    assert.deepEqual(await claim(db), [])
  })

  test(`${engine}: the rows of a full origin hide nobody else's`, async (t) => {
    const db = await open(t)
    const [slow, sameOrigin, quick] = [
      { name: 'slow', url: 'https://slow.example.com/a' },
      { name: 'same origin', url: 'https://slow.example.com/b' },
      { name: 'quick', url: 'https://quick.example.com' },
    ]
    await haveWebhooks(db, slow, sameOrigin)
    for (let n = 0; n < 6; n++) await submit(db)
    await haveWebhooks(db, slow, sameOrigin, quick)
    await submit(db)
    const claimed = await claim(db, { limit: 4, perOrigin: 2 })
    const hosts = claimed.map(({ webhook }) => new URL(webhook.url).host)
    assert.deepEqual(hosts.sort(), ['quick.example.com', 'slow.example.com', 'slow.example.com'])
  })
}

test('what is not due yet is not claimed', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db)
  assert.deepEqual(await claim(db, { now: new Date('2026-11-20T09:59:59.999Z') }), [])
})
