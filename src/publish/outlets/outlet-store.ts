import type { Selectable } from 'kysely'
import { engineOf, laterAsText, nowAsText } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import { type FromRow, fromRow } from '../../db/tables/columns.ts'
import { chunksOf } from '../../lib/in-parts.ts'

/** State of uploads or announcements. */
export type Outlet = FromRow<Omit<Selectable<Schema['publish_outlets']>, 'claimed_by' | 'claimed_until'>>

/** A claim that isn't renewed for this long has expired. */
const CLAIM_SECONDS = 60

type Name = Outlet['name']
export type ToldName = Schema['outlet_addresses']['name']

export async function listOutlets(db: Db): Promise<Outlet[]> {
  const rows = await db.selectFrom('publish_outlets').selectAll().orderBy('name', 'desc').execute()
  return rows.map(toOutlet)
}

export async function findOutlet(db: Db, name: Name): Promise<Outlet | undefined> {
  const row = await db.selectFrom('publish_outlets').selectAll().where('name', '=', name).executeTakeFirst()
  return row && toOutlet(row)
}

/**
 * Claims the work of all outlets for one process, or renews its claim; returns false while another process has it.
 * Uses the database's clock, because the servers' clocks differ.
 */
export async function claimOutlets(db: Db, by: string, { now }: { now: Date }): Promise<boolean> {
  const at = now.toISOString()
  const engine = engineOf(db)
  const until = laterAsText(engine, CLAIM_SECONDS)
  await db
    .insertInto('publish_outlets')
    .values({ name: 'upload', status: 'done', updated_at: at, next_attempt_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('publish_outlets')
    .set({ claimed_by: by, claimed_until: until })
    .where('name', '=', 'upload')
    .where(({ eb, or }) =>
      or([
        eb('claimed_by', 'is', null),
        eb('claimed_by', '=', by),
        eb('claimed_until', '<', nowAsText(engine)),
        // A claim from a clock that was set back.
        eb('claimed_until', '>', until),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function releaseOutlets(db: Db, by: string): Promise<void> {
  await db
    .updateTable('publish_outlets')
    .set({ claimed_by: null, claimed_until: null })
    .where('claimed_by', '=', by)
    .execute()
}

export type OutletState = Pick<Outlet, 'status' | 'updatedAt' | 'nextAttemptAt'> &
  Partial<Pick<Outlet, 'releaseId' | 'done' | 'total' | 'failures' | 'failureMessage'>>

/** Stores an outlet's state; omitted parts stay. */
export async function putOutlet(db: Db, name: Name, state: OutletState): Promise<void> {
  const columns = {
    status: state.status,
    updated_at: state.updatedAt,
    next_attempt_at: state.nextAttemptAt,
    ...(state.releaseId !== undefined && { release_id: state.releaseId }),
    ...(state.done !== undefined && { done: state.done }),
    ...(state.total !== undefined && { total: state.total }),
    ...(state.failures !== undefined && { failures: state.failures }),
    ...(state.failureMessage !== undefined && { failure_message: state.failureMessage }),
  }
  await db
    .insertInto('publish_outlets')
    .values({ name, ...columns })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(columns))
    .execute()
}

/** Adds addresses to announce; those already queued aren't added twice. */
export async function insertAddresses(db: Db, name: ToldName, addresses: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(addresses))
    await db
      .insertInto('outlet_addresses')
      .values(chunk.map((address) => ({ name, address })))
      .onConflict((conflict) => conflict.columns(['name', 'address']).doNothing())
      .execute()
}

export async function listAddresses(db: Db, name: ToldName, { limit }: { limit: number }): Promise<string[]> {
  const query = db.selectFrom('outlet_addresses').select('address').where('name', '=', name)
  return (await query.orderBy('address').limit(limit).execute()).map(({ address }) => address)
}

export async function deleteAddresses(db: Db, name: ToldName, addresses: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(addresses))
    await db.deleteFrom('outlet_addresses').where('name', '=', name).where('address', 'in', chunk).execute()
}

export async function countAddresses(db: Db, name: ToldName): Promise<number> {
  const { count } = await db
    .selectFrom('outlet_addresses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function toOutlet({ claimed_by: _by, claimed_until: _until, ...row }: Selectable<Schema['publish_outlets']>) {
  return fromRow(row)
}
