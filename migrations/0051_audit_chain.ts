import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

const BATCH = 1_000

interface Row {
  id: number
  happened_at: string
  user_email: string
  action: string
  subject_type: string | null
  subject_id: string | null
  summary: string
  address: string
}

/** Chains the audit log: each entry carries a SHA-256 over itself and the entry before, earlier entries included. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_log add column chain_hash text`.execute(db)
  let previous = ''
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`
      select * from audit_log where id > ${after} order by id limit ${BATCH}`.execute(db)
    for (const row of rows) {
      previous = hashOf(row, previous)
      await sql`update audit_log set chain_hash = ${previous} where id = ${row.id}`.execute(db)
    }
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.id)
  }
}

function hashOf(row: Row, previous: string): string {
  const { happened_at, user_email, action, subject_type, subject_id, summary, address } = row
  const text = JSON.stringify([happened_at, user_email, action, subject_type, subject_id, summary, address])
  return createHash('sha256').update(`${previous}\n${text}`).digest('hex')
}
