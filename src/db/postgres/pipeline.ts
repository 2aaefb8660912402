import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Db } from '../schema.ts'

/** Statements that were sent and not answered yet, by connections that can send ahead. */
const sentAhead = new WeakMap<DatabaseConnection, Promise<unknown>[]>()

/** Allows that this connection sends statements without waiting for the answers to earlier ones. */
export function allowSendingAhead(connection: DatabaseConnection): void {
  if (!sentAhead.has(connection)) sentAhead.set(connection, [])
}

/** Sends a statement whose answer is awaited by `takeSentAhead`. */
export function sendAhead(connection: DatabaseConnection, query: CompiledQuery): void {
  const answer = connection.executeQuery(query)
  // `takeSentAhead` reports the error.
  answer.catch(() => {})
  sentAhead.get(connection)?.push(answer)
}

/** The answers that nobody has awaited yet; the caller awaits them from now on. */
export function takeSentAhead(connection: DatabaseConnection): Promise<unknown>[] {
  return sentAhead.get(connection)?.splice(0) ?? []
}

/**
 * Runs statements in one transaction with one wait for the database: PostgreSQL gets them together, and each sees what
 * the earlier ones did. Returns their results in the same order. Throws the error of the first one that fails.
 */
export function runTogether(
  db: Db,
  queries: readonly CompiledQuery<unknown>[],
): Promise<QueryResult<unknown>[]> {
  return db.getExecutor().provideConnection(async (connection) => {
    if (!sentAhead.has(connection)) return runInTurns(connection, queries)
    const answers = await Promise.allSettled(queries.map((query) => connection.executeQuery(query)))
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
  })
}

/**
 * Runs the last statements of a transaction. PostgreSQL gets them together with the commit, which fails when one of them
 * does. Nothing else may follow.
 */
export async function runWithCommit(db: Db, queries: readonly CompiledQuery<unknown>[]): Promise<void> {
  if (queries.length === 0) return
  await db.getExecutor().provideConnection(async (connection) => {
    if (!sentAhead.has(connection)) await runInTurns(connection, queries)
    else for (const query of queries) sendAhead(connection, query)
  })
}

async function runInTurns(connection: DatabaseConnection, queries: readonly CompiledQuery<unknown>[]) {
  const results: QueryResult<unknown>[] = []
  for (const query of queries) results.push(await connection.executeQuery(query))
  return results
}
