import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { DEFAULT_STAGES, FIRST_STAGE, type Stage, stageSettings } from './stage-settings.ts'

const settingsColumn = z.object({ stages: stageSettings.optional() })

/** The stages that the settings of the site name, in their order; the usual ones when they name none. */
export async function findStages(db: Db): Promise<readonly Stage[]> {
  const row = await db
    .selectFrom('settings')
    .select('value_json')
    .where('key', '=', 'site')
    .executeTakeFirst()
  const { data } = settingsColumn.safeParse(row ? JSON.parse(row.value_json) : {})
  return data?.stages ?? DEFAULT_STAGES
}

/** Counts the leads in a stage, no further than `most`. */
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

// A literal, as the partial indexes serve only what is known when the statement is prepared.
const IS_IN_WORK = sql<boolean>`stage <> 'new'`

/** A stage as leads have it, and as they should. */
interface StageChange {
  from: string
  to: string
  isWon: boolean
}

/**
 * Brings up to `limit` leads to a stage that replaces theirs, or to what their stage counts as; returns how many. It looks
 * before it writes: as a rule there are none, and a write would wait for a locked database.
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
    // Someone may have moved one meanwhile.
    .where('stage', '=', from)
    .execute()
  return differing.length
}
