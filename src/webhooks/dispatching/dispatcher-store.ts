import { type CompiledQuery, sql } from 'kysely'
import { agoAsText, engineOf, nowAsText } from '../../db/dialects.ts'
import { runTogether } from '../../db/postgres/pipeline.ts'
import type { Db } from '../../db/schema.ts'

/** The same as the lifetime of an unrenewed claim. */
const LIVE_SECONDS = 4

export interface LiveDispatcher {
  id: string
  /** Number of dispatchers that it divides by. */
  counted: number
}

/**
 * Records that a dispatcher runs and divides slots by this number. Returns all running dispatchers by ID. Uses the
 * database's clock.
 */
export async function saveDispatcher(db: Db, { id, counted }: LiveDispatcher): Promise<LiveDispatcher[]> {
  const engine = engineOf(db)
  const seen = { seen_at: nowAsText(engine), counted }
  const save = db
    .insertInto('dispatchers')
    .values({ id, ...seen })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
    .compile()
  const forget = db.deleteFrom('dispatchers').where('seen_at', '<', agoAsText(engine, LIVE_SECONDS)).compile()
  const live = db.selectFrom('dispatchers').select(['id', 'counted']).orderBy('id').compile()
  const inBackground: CompiledQuery<unknown>[] =
    engine === 'postgres' ? [sql`set local synchronous_commit = off`.compile(db)] : []
  const results = await runTogether(db, [...inBackground, save, forget, live])
  return (results.at(-1)?.rows ?? []) as LiveDispatcher[]
}

export async function deleteDispatcher(db: Db, id: string): Promise<void> {
  await db.deleteFrom('dispatchers').where('id', '=', id).execute()
}
