import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { placeOlderLeads } from '../../submissions/places/place-leads.ts'
import { applyStages } from '../../submissions/stages/apply-stages.ts'
import type { Heartbeat } from '../servers/heartbeat.ts'

/** Servers of an earlier version may still store leads, and any server changes settings. */
const EVERY_MS = 10_000

/** Updates leads to the stages in the settings, and leads of earlier versions, on the leader of several servers. */
export function createLeadUpkeep({
  db,
  heartbeat,
  log,
}: {
  db: Kysely<Schema>
  /** Undefined on SQLite. */
  heartbeat?: Pick<Heartbeat, 'leads'> | undefined
  log: Pick<Log, 'error'>
}): Worker {
  return createLoop({
    everyMs: EVERY_MS,
    async turn(signal) {
      if (heartbeat && !heartbeat.leads()) return
      await applyStages(db, { signal })
      await placeOlderLeads(db, { signal })
    },
    failure: logTexts.leadUpkeepFailed,
    log,
  })
}
