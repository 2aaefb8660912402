import type { Db } from '../../db/schema.ts'
import { addUp, type Happening } from './result-keys.ts'
import { addSums } from './sum-store.ts'

const COLUMNS = ['day', 'service', 'place', 'source', 'page', 'leads', 'won'] as const

/** A change in the number of leads and of won leads. */
export type LeadChange = Happening & { leads: number; won: number }

/** Lists the oldest changes that are not yet in the sums. */
export async function listLeadChanges(
  db: Db,
  { limit }: { limit: number },
): Promise<(LeadChange & { id: number })[]> {
  const columns = ['id', ...COLUMNS] as const
  const rows = await db.selectFrom('lead_changes').select(columns).orderBy('id').limit(limit).execute()
  return rows.map(toChange)
}

/** Takes changes out of their table. Two processes never take the same ones. */
export async function takeLeadChanges(db: Db, ids: readonly number[]): Promise<LeadChange[]> {
  if (ids.length === 0) return []
  const rows = await db.deleteFrom('lead_changes').where('id', 'in', ids).returning(COLUMNS).execute()
  return rows.map(toChange)
}

function toChange<Row extends { leads: number; won: number }>(row: Row): Row {
  return { ...row, leads: Number(row.leads), won: Number(row.won) }
}

/** Adds changes to the sums, in the transaction that took them. */
export async function addLeads(db: Db, changes: readonly LeadChange[]): Promise<void> {
  const sums = addUp(changes, ['leads', 'won'])
  await addSums(db, 'lead_counts', sums)
}
