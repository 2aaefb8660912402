import { sql, type Updateable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { type At, type IdGroup, idGroups, isAmong, prepareQuery } from '../../db/statements/prepared-query.ts'
import type { LeasedClaim } from '../../lib/background/lease-watch.ts'
import { type DeliveryState, stateColumns } from './delivery-queue-store.ts'

// As a literal: SQLite uses a partial index only for a value that it knows when it prepares the statement.
const DELIVERING = sql.lit('delivering' as const)
const UNCLAIMED = { status: 'pending', lease_expires_at: null, claimed_by: null } as const

/** Claims due deliveries. */
export async function claimDeliveries(
  db: Db,
  ids: readonly number[],
  { owner, leaseExpiresAt }: { owner: string; leaseExpiresAt: Date },
): Promise<void> {
  for (const group of idGroups(db, ids))
    await updateClaimed(db, { owner, leaseExpiresAt: leaseExpiresAt.toISOString(), ids: group })
}

const updateClaimed = prepareQuery((db, at: At<{ owner: string; leaseExpiresAt: string; ids: IdGroup }>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ status: 'delivering', claimed_by: at('owner'), lease_expires_at: at('leaseExpiresAt') })
    .set({ outcome_code: null, outcome_params_json: null })
    .where(isAmong('id', at('ids')))
    .compile(),
)

/** All claims there are, of every process. */
export async function listClaims(db: Db): Promise<LeasedClaim[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'lease_expires_at'])
    .where('status', '=', DELIVERING)
    .where('lease_expires_at', '>', '')
    .execute()
  return rows.map(({ id, lease_expires_at }) => ({ id, leaseExpiresAt: lease_expires_at ?? '' }))
}

/** Makes claimed deliveries pending again: those of one owner except `kept`, or all. */
export async function releaseClaims(
  db: Db,
  { owner, kept = [] }: { owner?: string; kept?: readonly number[] } = {},
): Promise<void> {
  let query = db.updateTable('webhook_deliveries').set(UNCLAIMED).where('status', '=', DELIVERING)
  if (owner !== undefined) query = query.where('claimed_by', '=', owner)
  if (kept.length > 0) query = query.where('id', 'not in', kept)
  await query.execute()
}

/** Makes these deliveries pending again, if their claims are still the same. */
export async function releaseDead(db: Db, claims: readonly LeasedClaim[]): Promise<void> {
  if (claims.length === 0) return
  const ids = claims.map(({ id }) => id)
  const leases = claims.map(({ leaseExpiresAt }) => leaseExpiresAt)
  await db
    .updateTable('webhook_deliveries')
    .set(UNCLAIMED)
    .where('id', 'in', ids)
    .where('lease_expires_at', 'in', leases)
    .execute()
}

/** Releases claims that were not used. Returns the IDs of those that still belonged to the owner. */
export async function returnClaims(
  db: Db,
  ids: readonly number[],
  { owner }: { owner: string },
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('webhook_deliveries')
    .set(UNCLAIMED)
    .where('id', 'in', ids)
    .where('claimed_by', '=', owner)
    .where('status', '=', 'delivering')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function renewClaims(
  db: Db,
  ids: readonly number[],
  { owner, leaseExpiresAt }: { owner: string; leaseExpiresAt: Date },
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: leaseExpiresAt.toISOString() })
    .where('id', 'in', ids)
    .where('claimed_by', '=', owner)
    .execute()
}

/** The end of a claim of a delivery that had `attemptCount` attempts when it was claimed. */
export interface ClaimEnd {
  id: number
  attemptCount: number
  state: DeliveryState
}

/** Ends claims. A delivery whose claim was lost to someone else is not changed. */
export async function settleClaims(
  db: Db,
  ends: readonly ClaimEnd[],
  { owner }: { owner: string },
): Promise<void> {
  // Deliveries that arrived end alike, all in one statement.
  for (const alike of Map.groupBy(ends, endOf).values()) {
    await settleAlike(db, alike, owner)
  }
}

async function settleAlike(db: Db, alike: readonly ClaimEnd[], owner: string) {
  const [first] = alike
  if (!first) return
  const { attemptCount, state } = first
  const changes = { attempt_count: state.attemptCount, ...stateColumns(state) }
  const ids = alike.map(({ id }) => id)
  for (const group of idGroups(db, ids)) await updateSettled(db, { changes, ids: group, attemptCount, owner })
}

interface Settling {
  changes: Updateable<Schema['webhook_deliveries']>
  ids: IdGroup
  attemptCount: number
  owner: string
}

const updateSettled = prepareQuery((db, at: At<Settling>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: null, claimed_by: null, ...at('changes') })
    .where(isAmong('id', at('ids')))
    .where('status', '=', 'delivering')
    .where('attempt_count', '=', at('attemptCount'))
    .where('claimed_by', '=', at('owner'))
    .compile(),
)

function endOf({ attemptCount, state }: ClaimEnd): string {
  const { status, reason, nextAttemptAt, finishedAt } = state
  return [attemptCount, status, JSON.stringify(reason), Number(nextAttemptAt), Number(finishedAt)].join(' ')
}
