import type { Kysely } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { deleteDispatcher, type LiveDispatcher, saveDispatcher } from './dispatcher-store.ts'

const EVERY_MS = 1_000
const NOTHING = { perOrigin: 0, mayExceed: false }

/** The slots of each origin that this server may use. */
export interface SlotShare {
  perOrigin: number
  /** True if it may have one more slot for an origin whose attempts all hang. */
  mayExceed: boolean
}

interface SharesOptions {
  db: Kysely<Schema>
  /** Names this dispatcher. */
  id: string
  /** Slots of an origin, of all servers together. */
  perOrigin: number
  /** Number of attempts that run to the origin with the most. */
  mostRunning: () => number
  /** Called when the share has grown. */
  onMore: () => void
  logger: Log
}

/**
 * Divides the slots of an origin among the dispatchers that run on the database. Each announces once a second the
 * number it divides by, and raises that number only when its running attempts fit the smaller share. A new dispatcher
 * has no slots until all others divide by at least its count, so the total never exceeds the limit. On SQLite, which
 * has one server, the share is everything.
 */
export function createSlotShares({ db, id, perOrigin, mostRunning, onMore, logger }: SharesOptions) {
  const isShared = engineOf(db) === 'postgres'
  let share: SlotShare = isShared ? NOTHING : { perOrigin, mayExceed: true }
  let counted = 1

  async function look() {
    const live = await saveDispatcher(db, { id, counted })
    take(live)
    if (live.length === counted || (live.length > counted && mostRunning() > share.perOrigin)) return
    // The others rely on it from now on.
    counted = live.length
    take(await saveDispatcher(db, { id, counted }))
  }

  function take(live: readonly LiveDispatcher[]) {
    const before = share
    share = shareOf(live, { id, perOrigin, before })
    if (share.perOrigin > before.perOrigin) onMore()
  }

  const loop = createLoop({ everyMs: EVERY_MS, turn: look, failure: logTexts.dispatcherFailed, log: logger })
  return {
    current: () => share,
    start: () => (isShared ? loop.start() : undefined),
    async stop() {
      if (!isShared) return
      await loop.stop()
      await deleteDispatcher(db, id).catch((err: unknown) => logger.error({ err }, logTexts.signOffFailed))
    },
  }
}

/** The share of one of these dispatchers: not larger than before while another one divides by fewer. */
export function shareOf(
  live: readonly LiveDispatcher[],
  { id, perOrigin, before }: { id: string; perOrigin: number; before: SlotShare },
): SlotShare {
  const rank = live.findIndex((one) => one.id === id)
  if (rank < 0) return before
  const whole = Math.floor(perOrigin / live.length)
  // More servers than slots: each must still be able to send.
  const part = Math.max(whole + (rank < perOrigin % live.length ? 1 : 0), 1)
  const isAgreed = live.every(({ id: other, counted }) => other === id || counted >= live.length)
  return { perOrigin: isAgreed ? part : Math.min(part, before.perOrigin), mayExceed: rank === 0 }
}
