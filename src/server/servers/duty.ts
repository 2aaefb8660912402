import type { Db } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Heartbeat } from './heartbeat.ts'
import { isDue, noteDone } from './leader-store.ts'

/** The time within which a new leader notices due work. */
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
 * Work that the leader does for all servers, once every `everyMs` across servers and restarts. If the leader dies in
 * the middle, the next one repeats it. A single server does it at its start and then every `everyMs`.
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
