import { type Kysely, sql, type Transaction } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db, Schema } from '../db/schema.ts'

/**
 * Runs a change of content, forms, webhooks, or settings in a transaction. Such changes run one after another, on all
 * servers, so that none overwrites what it has not seen. Reading and accepting posts continue.
 */
export function changeContent<Value>(
  db: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async (trx) => {
    await holdContent(trx)
    return work(trx)
  })
}

/** Blocks other changes of content until this transaction ends. On SQLite every transaction does this. */
export async function holdContent(db: Db): Promise<void> {
  if (engineOf(db) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtext('signpost content'))`.execute(db)
}
