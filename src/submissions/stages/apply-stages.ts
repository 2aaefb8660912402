import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { FIRST_STAGE, type Stage } from './stage-settings.ts'
import { findStages, moveLeads } from './stage-store.ts'

const BATCH = 200

/**
 * Updates leads to match the stages in the settings, in the background: moves leads of a removed stage to its
 * replacement, and updates which count as won. Runs in small transactions: after a kill, the next run continues.
 */
export async function applyStages(
  db: Kysely<Schema>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  for (const change of (await findStages(db)).flatMap(changesOf)) {
    for (let moved = BATCH; moved === BATCH && !signal?.aborted; ) {
      const startedAt = performance.now()
      moved = await moveLeads(db, change, { limit: BATCH })
      if (moved === BATCH) await delay(performance.now() - startedAt)
    }
  }
}

function changesOf({ slug, counts_as, replaces = [] }: Stage) {
  const to = { to: slug, isWon: counts_as === 'won' }
  const own = slug === FIRST_STAGE ? [] : [slug]
  return [...own, ...replaces].map((from) => ({ from, ...to }))
}
