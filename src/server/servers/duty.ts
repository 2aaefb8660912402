import type { Db } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Heartbeat } from './heartbeat.ts'
import { isDue, noteDone } from './leader-store.ts'

/** The time within which a new leader sees what is due. */
const LOOK_EVERY_MS = 10_000

interface DutyOptions extends Omit<Parameters<typeof createLoop>[0], 'turn'> {
  db: Db
  /** Undefined on SQLite, where the one server does all work. */
  heartbeat: Pick<Heartbeat, 'leads'> | undefined
  /** Names the work in the database. */
  name: string
  turn(signal: AbortSignal): Promise<void>
}

/**
 * Work that one of all servers does for all: the leader, once in `everyMs` over all servers and their restarts. If the leader
 * dies in the middle of it, the next one does it again. One server alone does it when it starts, and every `everyMs` from then on.
 */
export function createDuty({ db, heartbeat, name, everyMs, turn, ...options }: DutyOptions): Loop {
  if (!heartbeat) return createLoop({ ...options, everyMs, turn })
  return createLoop({
    ...options,
    everyMs: Math.min(everyMs, LOOK_EVERY_MS),
    async turn(signal) {
      if (!heartbeat.leads() || !(await isDue(db, name, everyMs))) return
      await turn(signal)
      if (!signal.aborted) await noteDone(db, name)
    },
  })
}
