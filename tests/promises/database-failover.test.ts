import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { PATIENT, PROMPT } from '#src/db/deadlines.ts'
import type { Schema } from '#src/db/schema.ts'
import { assertWithin } from '../support/assert-within.ts'
import { atEnd } from '../support/at-end.ts'
import { startSiteOn } from '../support/bare-site.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { countRows, storeWebhook } from '../support/desk.ts'
import { needsPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { needsPostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/running-site.ts'
import { printFigure } from '../support/soak.ts'

const POST_WITHIN_MS = 5_000
const RESUMED_WITHIN_MS = 10_000
const FORM_ID = 1

describe('a database behind PgBouncer, restarted, or replaced by its standby', { concurrency: 2 }, () => {
  test(
    'after a database crash and restart, acknowledged posts are stored once and webhooks resume within 10 s',
    needsPostgresServer,
    async (t) => {
      const server = await startPostgresServer(t)
      await keepsPostsThrough(t, { url: server.url, fault: () => server.crash() })
    },
  )

  test(
    'after a failover the standby has every acknowledged post, and the server follows automatically',
    needsPostgresServer,
    async (t) => {
      const primary = await startPostgresServer(t)
      const standby = await primary.addStandby()
      const proxy = await startDatabaseProxy(t, primary.url)
      const fault = async () => {
        await primary.stop()
        await standby.promote()
        proxy.pointTo(standby.url)
      }
      await keepsPostsThrough(t, { url: proxy.url, fault })
    },
  )

  test(
    'through PgBouncer in transaction mode each pool keeps its own deadlines and leaves none behind',
    needsPgBouncer,
    async (t) => {
      const { url: serverUrl } = await startPostgresServer(t)
      const url = await startPgBouncer(t, serverUrl, { connections: 1 })
      const [prompt, patient] = [PROMPT, PATIENT].map((deadlines) => connect(t, url, { deadlines }))
      assert.ok(prompt && patient)
      // In turns on one session.
      for (const [db, expected] of [
        [prompt, '3s'],
        [patient, '30s'],
        [prompt, '3s'],
      ] as const)
        assert.equal(await db.transaction().execute(statementTimeout), expected)
      assert.equal(await statementTimeout(patient), '0')
    },
  )

  test(
    'two servers behind PgBouncer in transaction mode store each post once and send each webhook once',
    needsPgBouncer,
    async (t) => {
      const { url: serverUrl } = await startPostgresServer(t)
      const url = await startPgBouncer(t, serverUrl, { connections: 4 })
      const sameKey = { SECRET_KEY: randomBytes(32).toString('base64') }
      const first = await startSiteOn(t, url, sameKey)
      const second = await startSiteOn(t, url, sameKey)
      const receiver = await startReceiver(t, 200)
      await storeWebhook(first.app.db, FORM_ID, { url: receiver.url })
      for (const { app } of [first, second]) app.desk.invalidate()
      const ids = Array.from({ length: 60 }, () => randomUUID())
      const posts = await Promise.all(ids.flatMap((_id) => [first.post({ _id }), second.post({ _id })]))
      assert.deepEqual([...new Set(posts.map(({ status }) => status))].sort(), [200, 201])
      assert.equal(await countRows(first.app.db, 'form_submissions'), ids.length)
      await receiver.waitForRequests(ids.length)
      await waitFor(async () => {
        const rows = await first.app.db.selectFrom('webhook_deliveries').select('status').execute()
        return rows.length === ids.length && rows.every(({ status }) => status === 'delivered')
      })
      const messages = receiver.requests.map(({ headers }) => headers['webhook-id'])
      assert.deepEqual([messages.length, new Set(messages).size], [ids.length, ids.length])
      for (const site of [first, second]) assert.equal((await site.health()).status, 200)
    },
  )
})

/** Posts all the time while the fault happens, until a post and its webhook are through again. */
async function keepsPostsThrough(
  t: TestContext,
  { url, fault }: { url: string; fault: () => Promise<void> },
) {
  const site = await startSiteOn(t, url)
  const receiver = await startReceiver(t, 200)
  await storeWebhook(site.app.db, FORM_ID, { url: receiver.url })
  site.app.desk.invalidate()
  const acknowledged = new Set<string>()
  async function post() {
    const _id = randomUUID()
    const { status, retryAfter, tookMs } = await site.post({ _id })
    assertWithin(tookMs, POST_WITHIN_MS, 'The answer')
    assert.deepEqual([status, retryAfter], status === 201 ? [201, null] : [503, '5'])
    if (status === 201) acknowledged.add(_id)
    return status
  }
  for (let stored = 0; stored < 10; stored += 1) assert.equal(await post(), 201)
  let isOver = false
  const failing = fault().then(() => {
    isOver = true
  })
  while (!isOver) await Promise.all([post(), post()])
  await failing
  const overAt = performance.now()
  await waitFor(async () => (await post()) === 201)
  await waitFor(async () => (await site.health()).status === 200)
  const postedMs = performance.now() - overAt
  await waitFor(async () => {
    const rows = await site.app.promptDb.selectFrom('webhook_deliveries').select('status').execute()
    return rows.length >= acknowledged.size && rows.every(({ status }) => status === 'delivered')
  })
  const resumedMs = performance.now() - overAt
  assertWithin(resumedMs, RESUMED_WITHIN_MS, 'Recovery')
  const stored = await site.app.promptDb.selectFrom('form_submissions').select('client_id').execute()
  const ids = stored.map(({ client_id }) => client_id)
  assert.equal(new Set(ids).size, ids.length)
  const lost = [...acknowledged].filter((id) => !ids.includes(id))
  assert.deepEqual(lost, [])
  printFigure(
    t,
    `${acknowledged.size} acknowledged, 0 lost; posts after ${Math.round(postedMs)} ms, all webhooks after ${Math.round(resumedMs)} ms`,
  )
}

function connect(t: TestContext, url: string, options: Parameters<typeof connectDatabase>[1]) {
  const db = connectDatabase(url, options)
  atEnd(t, () => db.destroy())
  return db
}

async function statementTimeout(db: Kysely<Schema>) {
  const { rows } = await sql<{ value: string }>`select current_setting('statement_timeout') as value`.execute(
    db,
  )
  return rows[0]?.value
}
