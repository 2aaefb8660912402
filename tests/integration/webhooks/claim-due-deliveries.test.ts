import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { createLeaseWatch } from '#src/lib/background/lease-watch.ts'
import { listClaims, releaseClaims, returnClaims } from '#src/webhooks/dispatching/delivery-claim-store.ts'
import type { Room } from '#src/webhooks/dispatching/share-slots.ts'
import { giveBack, type TurnOptions, takeTurn } from '#src/webhooks/dispatching/take-turn.ts'
import type { Attempt } from '#src/webhooks/sending/send-attempt.ts'
import { createWebhookReader } from '#src/webhooks/sending/webhook-reader.ts'
import { openTestDatabase } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { haveWebhooks, listAttempts, SITE_URL, secretBox, submit } from './webhook-world.ts'

const NOW = new Date('2026-11-20T10:00:01.000Z')
const LEASE_MS = 60_000
const DELIVERED: Attempt = {
  ...{ kind: 'delivered', status: 200, startedAt: NOW, durationMs: 5 },
  ...{ responseHeaders: {}, responseBody: 'ok' },
}
const REQUEST = { url: 'https://a.example.com', method: 'POST' as const, headers: {}, body: '{}' }

/** Nothing waits in memory. */
function aRunner(room: Room) {
  return { waitingFor: () => [], takeBack: () => [], room: () => room }
}

/** A turn of the dispatcher called `owner`, with as many slots as it likes. */
function turn(db: Kysely<Schema>, options: Partial<TurnOptions> = {}) {
  return takeTurn(db, {
    ...{ owner: 'one', now: NOW, leaseMs: LEASE_MS, siteUrl: SITE_URL },
    reader: createWebhookReader({ secretBox, environment: {} }),
    ...{ random: () => 0.5, retryScheduleMs: [1_000], finished: [], claimedIds: [], renewsLeases: false },
    ...{ looksForDead: false, leaseWatch: createLeaseWatch(0) },
    runner: aRunner({ free: 32, freeFor: () => 8, freeAt: () => 8 }),
    ...options,
  })
}

async function claim(db: Kysely<Schema>, options: Partial<TurnOptions> = {}) {
  return (await turn(db, options)).ready
}

const later = (milliseconds: number) => new Date(NOW.getTime() + milliseconds)

const postgres = postgresEngine()
after(() => postgres.close())

async function openPostgres() {
  const db = await postgres.openMigrated()
  return db
}

for (const [engine, open] of [
  ['SQLite', openTestDatabase],
  ['PostgreSQL', openPostgres],
] as const) {
  test(`${engine}: a claimed delivery is exclusive until its lease ends, and keeps its body`, async (t) => {
    const db = await open(t)
    await haveWebhooks(db, { url: 'https://a.example.com' })
    await submit(db)
    const [first] = await claim(db)
    assert.deepEqual(await claim(db, { owner: 'two' }), [])
    const dead = await turn(db, { owner: 'two', looksForDead: true })
    const [second] = [...dead.ready, ...(await claim(db, { owner: 'two' }))]
    assert.equal(second?.job.id, first?.job.id)
    assert.equal(second?.body, first?.body)
    assert.equal(second?.job.requestBody, first?.body)

    const finished = (prepared: typeof first) => [
      { prepared: prepared as NonNullable<typeof first>, request: REQUEST, attempt: DELIVERED },
    ]
    await turn(db, { finished: finished(first) })
    const lost = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
    assert.equal(lost.status, 'delivering', 'a claim that was lost changes nothing')

    await turn(db, { owner: 'two', finished: finished(second) })
    const row = await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.status, row.attempt_count, row.lease_expires_at], ['delivered', 1, null])
    assert.deepEqual([row.next_attempt_at, row.finished_at], [null, NOW.toISOString()])
    assert.equal((await listAttempts(db)).length, 2)
    assert.deepEqual(await claim(db), [])
  })

  test(`${engine}: a renewed claim isn’t dead, nor is the observer’s own`, async (t) => {
    const db = await open(t)
    await haveWebhooks(db, { url: 'https://a.example.com' })
    await submit(db)
    const [claimed] = await claim(db)
    const claimedIds = [claimed?.job.id ?? 0]
    const watch = createLeaseWatch(1_000)
    assert.deepEqual(watch.findDead(await listClaims(db), 0), [])
    await turn(db, { now: later(1), claimedIds, renewsLeases: true, looksForDead: true })
    assert.deepEqual(watch.findDead(await listClaims(db), 1_000), [])
    assert.equal(watch.findDead(await listClaims(db), 2_000)[0]?.id, claimed?.job.id)
    assert.deepEqual(await claim(db, { owner: 'two' }), [])
  })

  test(`${engine}: only its owner releases a claim`, async (t) => {
    const db = await open(t)
    await haveWebhooks(db, { url: 'https://a.example.com' })
    for (let n = 0; n < 2; n++) await submit(db)
    const ids = (await claim(db, { owner: 'two' })).map(({ job }) => job.id)
    assert.equal(ids.length, 2)
    assert.deepEqual(await returnClaims(db, ids, { owner: 'one' }), [])
    assert.deepEqual(await claim(db), [], 'the other one is sending them')
    assert.deepEqual(await returnClaims(db, ids.slice(1), { owner: 'two' }), ids.slice(1))
    assert.deepEqual(
      (await claim(db)).map(({ job }) => job.id),
      ids.slice(1),
    )
  })

  test(`${engine}: a full origin doesn’t starve others, nor one webhook another of its origin`, async (t) => {
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
    const claimed = await claim(db, { runner: aRunner({ free: 4, freeFor: () => 2, freeAt: () => 2 }) })
    assert.deepEqual(claimed.map(({ sendable }) => sendable.webhook.name).sort(), [
      'quick',
      'same origin',
      'slow',
    ])
  })
}

test('PostgreSQL: an attempt that can’t be recorded leaves claims that their owner can release', async () => {
  const db = await openPostgres()
  await haveWebhooks(db, { url: 'https://a.example.com' })
  for (let n = 0; n < 2; n++) await submit(db)
  const room = { free: 1, freeFor: () => 1, freeAt: () => 1 }
  const [first] = await claim(db, { runner: aRunner(room) })
  assert.ok(first)
  await db.deleteFrom('webhook_deliveries').where('id', '=', first.job.id).execute()
  const finished = [{ prepared: first, request: REQUEST, attempt: DELIVERED }]
  await assert.rejects(turn(db, { finished, claimedIds: [] }))
  const statuses = async () =>
    (await db.selectFrom('webhook_deliveries').select('status').execute()).map(({ status }) => status)
  assert.deepEqual(await statuses(), ['delivering'])
  await releaseClaims(db, { owner: 'one' })
  assert.deepEqual(await statuses(), ['pending'])
  assert.equal((await claim(db)).length, 1)
})

test('deliveries that aren’t due are skipped without a write', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db)
  const { rows: before } = await sql`select total_changes() as changes`.execute(db)
  const { ready, nextAt } = await turn(db, { now: new Date('2026-11-20T09:59:59.999Z') })
  assert.deepEqual([ready, nextAt], [[], '2026-11-20T10:00:00.000Z'])
  assert.deepEqual((await sql`select total_changes() as changes`.execute(db)).rows, before)
})

test('claims given back are pending again, without the bodies that they rendered', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  for (let n = 0; n < 2; n++) await submit(db)
  const [retry = 0, first = 0] = await Array.fromAsync(
    db.selectFrom('webhook_deliveries').select('id').orderBy('id').stream(),
    ({ id }) => id,
  )
  await db.insertInto('delivery_bodies').values({ delivery_id: retry, body: '{"kept":true}' }).execute()
  const claimed = await claim(db)
  const rows = async () => {
    const query = db.selectFrom('webhook_deliveries').leftJoin('delivery_bodies', 'delivery_id', 'id')
    const found = await query.select(['id', 'status', 'claimed_by', 'body']).orderBy('id').execute()
    return found.map(({ id, status, claimed_by, body }) => [id, status, claimed_by, body !== null])
  }
  const held = [
    [retry, 'delivering', 'one', true],
    [first, 'delivering', 'one', true],
  ]
  assert.deepEqual(await rows(), held)
  await giveBack(db, claimed, { owner: 'two' })
  assert.deepEqual(await rows(), held, 'another owner has no claims to give back')
  await giveBack(db, claimed, { owner: 'one' })
  assert.deepEqual(await rows(), [
    [retry, 'pending', null, true],
    [first, 'pending', null, false],
  ])
})

test('a retry sends the body of its first attempt, beside a first attempt for the same lead', async (t) => {
  const db = await openTestDatabase(t)
  const webhook = { url: 'https://a.example.com', payload_template: { version: 2 } }
  await haveWebhooks(db, { name: 'a', ...webhook }, { name: 'b', ...webhook })
  await submit(db)
  const [{ id: delivery_id } = { id: 0 }] = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .orderBy('id')
    .execute()
  await db.insertInto('delivery_bodies').values({ delivery_id, body: '{"version":1}' }).execute()
  const claimed = await claim(db)
  assert.deepEqual(
    claimed.map(({ body }) => body),
    ['{"version":1}', '{"version":2}'],
  )
})

for (const [what, column, status, reason] of [
  ['webhook', { webhook_id: null }, 'cancelled', 'webhook_deleted'],
  ['lead', { submission_id: null }, 'failed', 'form_deleted'],
] as const) {
  test(`a due delivery that has lost its ${what} ends with the reason`, async (t) => {
    const db = await openTestDatabase(t)
    await haveWebhooks(db, { url: 'https://a.example.com' })
    for (let n = 0; n < 2; n++) await submit(db)
    const { id } = await db.selectFrom('webhook_deliveries').select('id').executeTakeFirstOrThrow()
    await db.updateTable('webhook_deliveries').set(column).where('id', '=', id).execute()
    const claimed = await claim(db)
    assert.deepEqual([claimed.length, claimed.some(({ job }) => job.id === id)], [1, false])
    const row = await db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
    assert.deepEqual([row?.status, row?.outcome_code], [status, reason])
  })
}

test('a delivery stored without a message ID has one that stays', async (t) => {
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { url: 'https://a.example.com' })
  await submit(db)
  await db.updateTable('webhook_deliveries').set({ message_id: null }).execute()
  const [claimed] = await claim(db)
  assert.equal(claimed?.job.messageId, `msg_${claimed?.job.id}`)
})
