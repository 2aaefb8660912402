import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { DEFAULT_STAGES, FIRST_STAGE, type Stage, stageSettings } from './stage-settings.ts'

const settingsColumn = z.object({ stages: stageSettings.optional() })

/** Returns the site's stages in order, or the default stages. */
export async function findStages(db: Db): Promise<readonly Stage[]> {
  const row = await db
    .selectFrom('settings')
    .select('value_json')
    .where('key', '=', 'site')
    .executeTakeFirst()
  const { data } = settingsColumn.safeParse(row ? JSON.parse(row.value_json) : {})
  return data?.stages ?? DEFAULT_STAGES
}

/** Counts the leads in a stage, up to `most`. */
export async function countInStage(db: Db, stage: string, { most }: { most: number }): Promise<number> {
  const leads = db
    .selectFrom('form_submissions')
    .select('id')
    .where('stage', '=', stage)
    .$if(stage !== FIRST_STAGE, (query) => query.where(IS_IN_WORK))
    .limit(most)
  const { count } = await db
    .selectFrom(leads.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

// Inlined: a partial index is used only for values known when the statement is prepared.
const IS_IN_WORK = sql<boolean>`stage <> 'new'`

/** A stage as leads store it, and as it should be. */
interface StageChange {
  from: string
  to: string
  isWon: boolean
}

/**
 * Moves up to `limit` leads to the stage that replaces theirs, or updates whether they count as won; returns the
 * number changed. Checks before writing: usually there are none, and a write would wait for a locked database.
 */
export async function moveLeads(
  db: Db,
  { from, to, isWon }: StageChange,
  { limit }: { limit: number },
): Promise<number> {
  const differing = await db
    .selectFrom('form_submissions')
    .select('id')
    .where('stage', '=', from)
    .where(IS_IN_WORK)
    .$if(from === to, (query) => query.where('is_won', '=', isWon ? 0 : 1))
    .limit(limit)
    .execute()
  if (differing.length === 0) return 0
  await db
    .updateTable('form_submissions')
    .set({ stage: to, is_won: isWon ? 1 : 0 })
    .where(
      'id',
      'in',
      differing.map(({ id }) => id),
    )
    // Someone may have moved a lead in the meantime.
    .where('stage', '=', from)
    .execute()
  return differing.length
}
