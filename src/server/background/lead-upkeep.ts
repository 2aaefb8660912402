import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { placeOlderLeads } from '../../submissions/places/place-leads.ts'

/** Servers of an earlier version may still store leads. */
const EVERY_MS = 10_000

/** Brings leads of earlier versions up to date, beside the work of the server. */
export function createLeadUpkeep({ db, log }: { db: Kysely<Schema>; log: Pick<Log, 'error'> }): Worker {
  return createLoop({
    everyMs: EVERY_MS,
    turn: (signal) => placeOlderLeads(db, { signal }),
    failure: logTexts.leadUpkeepFailed,
    log,
  })
}
