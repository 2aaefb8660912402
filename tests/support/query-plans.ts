import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'

/** SQLite's plan of one query: a line for each step. */
export type Plan = string[]

/** Returns SQLite's plan of each query that `work` runs. */
export async function plansOf(db: Kysely<Schema>, work: () => Promise<unknown>): Promise<Plan[]> {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const queries: CompiledQuery[] = []
  executor.executeQuery = (query, ...rest) => {
    queries.push(query)
    return execute(query, ...rest)
  }
  await work()
  executor.executeQuery = execute
  const plans = queries.map(async ({ sql, parameters }) => {
    const asked = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    const { rows } = await db.executeQuery<{ detail: string }>(asked)
    return rows.map(({ detail }) => detail)
  })
  return Promise.all(plans)
}
