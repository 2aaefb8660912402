import type { CompiledQuery, QueryResult } from 'kysely'
import { runTogether } from '../../db/postgres/pipeline.ts'
import type { Db } from '../../db/schema.ts'
import { rollBackTo, savepoint } from '../../db/statements/savepoint.ts'
import { challengeInserts } from '../limits/spent-challenge-store.ts'
import type { NewSubmission } from '../submission.ts'
import { readInserted, submissionInserts } from '../submission-store.ts'
import type { CommitOptions, PendingSubmission } from './pending-submission.ts'

const BEFORE_INSERTS = savepoint('inserts')
const UNDO_INSERTS = rollBackTo('inserts')

/** Reason why a post with valid answers is not stored. */
export type Refusal = { kind: 'challenge_spent' } | { kind: 'too_many'; retryAfterSeconds: number }

export interface InsertedSubmissions {
  /** The first submission for each key, which is the one stored. */
  firsts: ReadonlyMap<string, PendingSubmission>
  /** Key → ID of newly stored submissions. */
  ids: ReadonlyMap<string, number>
  refusals: ReadonlyMap<PendingSubmission, Refusal>
}

/**
 * Inserts the submissions whose challenge is unused and whose sender is within the limits. Checks and inserts go to
 * the database together: usually nobody is refused. Otherwise the inserts are undone and repeated without the refused
 * ones. Call it in a transaction.
 */
export async function insertAllowed(
  db: Db,
  pending: readonly PendingSubmission[],
  options: Pick<CommitOptions, 'limits'>,
): Promise<InsertedSubmissions> {
  const check = createCheck(db, pending, options)
  const asked = firstOfEachKey(pending)
  const results = await runTogether(db, [...check.queries, ...submissionInserts(db, submissionsOf(asked))])
  const refusals = check.read(results)
  if (refusals.size === 0)
    return { firsts: asked, ids: idsByKey(results.slice(check.queries.length)), refusals }
  // A refused post may be the first with its key, and its insert has left more than a row.
  const firsts = firstOfEachKey(pending.filter((one) => !refusals.has(one)))
  const again = await runTogether(db, [UNDO_INSERTS, ...submissionInserts(db, submissionsOf(firsts))])
  return { firsts, ids: idsByKey(again.slice(1)), refusals }
}

type Firsts = ReadonlyMap<string, PendingSubmission>

interface Check {
  queries: readonly CompiledQuery<unknown>[]
  read(results: readonly QueryResult<unknown>[]): ReadonlyMap<PendingSubmission, Refusal>
}

// Challenges first: servers wait for each other's locks on challenges and senders, so the order must always be the
// same.
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
  const queries = [...challenges, ...(count?.queries ?? [])]
  return {
    queries: queries.length > 0 ? [...queries, BEFORE_INSERTS] : [],
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

// Of several posts with the same challenge, the first one uses it up.
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

/** Identifies a submission by its form and `clientId`. */
export function keyOf({ formId, clientId }: { formId: number; clientId: string }): string {
  return `${formId}/${clientId}`
}
