import type { CompiledQuery, QueryResult } from 'kysely'
import { runTogether } from '../../db/postgres/pipeline.ts'
import type { Db } from '../../db/schema.ts'
import { challengeInserts } from '../limits/spent-challenge-store.ts'
import type { NewSubmission } from '../submission.ts'
import { deleteInserted, readInserted, submissionInserts } from '../submission-store.ts'
import type { CommitOptions, PendingSubmission } from './pending-submission.ts'

/** Reason why a post is not stored although its answers are right. */
export type Refusal = { kind: 'challenge_spent' } | { kind: 'too_many'; retryAfterSeconds: number }

export interface InsertedSubmissions {
  /** The first of those with the same key; it is the one that is stored. */
  firsts: ReadonlyMap<string, PendingSubmission>
  /** Key → id of those that were not stored before. */
  ids: ReadonlyMap<string, number>
  refusals: ReadonlyMap<PendingSubmission, Refusal>
}

/**
 * Inserts submissions whose challenge was not used before and whose sender has not posted too often. Both turn out while
 * all are inserted, with one wait for the database: as a rule nobody is refused, and the few who are get removed again. In
 * a transaction.
 */
export async function insertAllowed(
  db: Db,
  pending: readonly PendingSubmission[],
  options: Pick<CommitOptions, 'limits'>,
): Promise<InsertedSubmissions> {
  const asked = firstOfEachKey(pending)
  const check = createCheck(db, pending, options)
  const results = await runTogether(db, [...check.queries, ...submissionInserts(db, submissionsOf(asked))])
  const inserted = idsByKey(results.slice(check.queries.length))
  const refusals = check.read(results)
  if (refusals.size === 0) return { firsts: asked, ids: inserted, refusals }
  const firsts = firstOfEachKey(pending.filter((one) => !refusals.has(one)))
  return { firsts, ids: await keepAllowed(db, { asked, inserted, firsts }), refusals }
}

// A refused post may have stood before another one with the same key.
async function keepAllowed(
  db: Db,
  { asked, inserted, firsts }: Record<'asked' | 'firsts', Firsts> & { inserted: ReadonlyMap<string, number> },
): Promise<ReadonlyMap<string, number>> {
  const kept = new Map([...inserted].filter(([key]) => asked.get(key) === firsts.get(key)))
  await deleteInserted(
    db,
    [...inserted].flatMap(([key, id]) => (kept.has(key) ? [] : id)),
  )
  const others = new Map([...firsts].filter(([key, one]) => asked.get(key) !== one))
  const results = await runTogether(db, submissionInserts(db, submissionsOf(others)))
  return new Map([...kept, ...idsByKey(results)])
}

type Firsts = ReadonlyMap<string, PendingSubmission>

interface Check {
  queries: readonly CompiledQuery<unknown>[]
  read(results: readonly QueryResult<unknown>[]): ReadonlyMap<PendingSubmission, Refusal>
}

// Challenges first: their rows make servers wait for each other, and so do senders, always in this order.
function createCheck(
  db: Db,
  pending: readonly PendingSubmission[],
  { limits }: Pick<CommitOptions, 'limits'>,
): Check {
  const challenges = challengeInserts(
    db,
    pending.flatMap(({ spends }) => spends ?? []),
  )
  const limited = pending.filter((one) => one.sender !== undefined)
  const counted = limited.flatMap(({ sender, submission }) =>
    sender ? [{ sender, postedAt: submission.submittedAt }] : [],
  )
  const count = limits?.countTogether(db, counted)
  return {
    queries: [...challenges, ...(count?.queries ?? [])],
    read(results) {
      const waits = count?.read(results.slice(challenges.length)) ?? []
      const tooMany = limited.flatMap((one, index) => refusalOf(one, waits[index]))
      const spent = challenges.length > 0 ? spentOf(pending, results[0]) : []
      return new Map([...tooMany, ...spent])
    },
  }
}

function refusalOf(one: PendingSubmission, waitMs = 0): [PendingSubmission, Refusal][] {
  return waitMs > 0 ? [[one, { kind: 'too_many', retryAfterSeconds: Math.ceil(waitMs / 1_000) }]] : []
}

// Among posts with the same challenge, the first one uses it.
function spentOf(
  pending: readonly PendingSubmission[],
  result: QueryResult<unknown> | undefined,
): [PendingSubmission, Refusal][] {
  const rows = (result?.rows ?? []) as { challenge: string }[]
  const fresh = new Set(rows.map(({ challenge }) => challenge))
  const spent = pending.filter(({ spends }) => spends !== undefined && !fresh.delete(spends.challenge))
  return spent.map((one) => [one, { kind: 'challenge_spent' }])
}

function firstOfEachKey(pending: readonly PendingSubmission[]): Firsts {
  const firsts = new Map<string, PendingSubmission>()
  for (const one of pending) {
    const key = keyOf(one.submission)
    if (!firsts.has(key)) firsts.set(key, one)
  }
  return firsts
}

function submissionsOf(firsts: Firsts): NewSubmission[] {
  return Array.from(firsts.values(), ({ submission }) => submission)
}

function idsByKey(results: readonly QueryResult<unknown>[]): Map<string, number> {
  const rows = results.flatMap((result) => result.rows as Parameters<typeof readInserted>[0])
  return new Map(readInserted(rows).map((row) => [keyOf(row), row.id]))
}

/** Names a submission by its form and `clientId`. */
export function keyOf({ formId, clientId }: { formId: number; clientId: string }): string {
  return `${formId}/${clientId}`
}
