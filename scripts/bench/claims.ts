import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import type { Db } from '../../src/db/schema.ts'
import { listDue, listQueueHeads } from '../../src/webhooks/dispatching/delivery-queue-store.ts'
import { percentile } from './measure.ts'
import type { Measurement } from './report.ts'

const BACKLOG = 100_000
const CLAIMED = 32
const TURNS = 200
const MOST_MS = 1

/**
 * Measures how long the dispatcher looks for due deliveries after 100,000 have become pending, before and after
 * `ANALYZE`, in a transaction that is rolled back.
 */
export async function measureClaims(databaseUrl: string): Promise<Measurement[]> {
  const db = connectDatabase(databaseUrl, { maxConnections: 1 })
  const trx = await db.startTransaction().execute()
  try {
    const { id: webhookId } = await trx.selectFrom('form_webhooks').select('id').executeTakeFirstOrThrow()
    await sql`update webhook_deliveries set status = 'pending', next_attempt_at = created_at, finished_at = null
      where id in (select id from webhook_deliveries where webhook_id = ${webhookId} order by id desc
        limit ${sql.lit(BACKLOG)})`.execute(trx)
    const before = await measure(trx, webhookId, 'before ANALYZE')
    await sql`analyze webhook_deliveries`.execute(trx)
    return [...before, ...(await measure(trx, webhookId, 'after ANALYZE'))]
  } finally {
    await trx.rollback().execute()
    await db.destroy()
  }
}

async function measure(db: Db, webhookId: number, when: string): Promise<Measurement[]> {
  const now = new Date()
  const p95 = async (work: () => Promise<unknown[]>) => {
    const times: number[] = []
    for (let turn = 0; turn < TURNS; turn++) {
      const startedAt = performance.now()
      const rows = await work()
      times.push(performance.now() - startedAt)
      if (rows.length === 0) throw new Error('Nothing was due')
    }
    return percentile(
      times.sort((a, b) => a - b),
      0.95,
    )
  }
  const heads = await p95(() => listQueueHeads(db))
  const claim = await p95(() => listDue(db, { webhookId, count: CLAIMED }, { now }))
  return [
    { name: `heads of the queues, ${when}: p95`, value: heads, unit: 'ms', atMost: MOST_MS },
    { name: `${CLAIMED} due deliveries, ${when}: p95`, value: claim, unit: 'ms', atMost: MOST_MS },
  ]
}
