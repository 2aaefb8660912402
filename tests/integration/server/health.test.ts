import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { atEnd } from '../../support/at-end.ts'
import { startSiteOn } from '../../support/bare-site.ts'
import { temporaryFolder } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'

const WITHIN_MS = 2_000

test('/health answers within 2 s while SQLite is locked, with 503 once posts are refused', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const site = await startSiteOn(t, `file:${path}`)
  assert.equal((await site.health()).status, 200)
  const other = connectSqlite(path)
  atEnd(t, () => other.destroy())
  await sql`begin immediate`.execute(other)
  let slowestMs = 0
  await waitFor(async () => {
    const { status, tookMs } = await site.health()
    slowestMs = Math.max(slowestMs, tookMs)
    return status === 503
  }, 15_000)
  assertWithin(slowestMs, WITHIN_MS, 'The answer')
  assert.equal((await site.post()).status, 503)
  await sql`rollback`.execute(other)
  await waitFor(async () => (await site.post()).status === 201)
  assert.equal((await site.health()).status, 200)
})

test('/health returns 503 for 5 s after a refused post, or until one is stored', async (t) => {
  const site = await startSiteOn(t, `file:${join(temporaryFolder(t), 'signpost.db')}`)
  const { db } = site.app
  const { page_count } = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0] ?? {}
  // A full disk, which the check itself would not notice: it writes nothing.
  await sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(db)
  const large = { bottleneck: 'x'.repeat(1_000) }
  await waitFor(async () => (await site.post(large)).status === 503)
  assert.equal((await site.health()).status, 503)
  await sql`pragma max_page_count = 1000000`.execute(db)
  await waitFor(async () => (await site.health()).status === 200)
})
