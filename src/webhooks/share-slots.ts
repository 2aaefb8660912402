/** A webhook with deliveries that are due. */
export interface DueQueue {
  /** Null for deliveries whose webhook was deleted. */
  webhookId: number | null
  /** Where they go; null when they need no connection, since they cannot be sent. */
  origin: string | null
  /** When its first delivery became due. */
  dueAt: string
}

/** How many deliveries of a webhook may be claimed now. */
export interface Share {
  webhookId: number | null
  count: number
}

export interface Room {
  free: number
  freeFor: (origin: string) => number
}

/**
 * Deals free slots out to the webhooks with due deliveries, one to each in turn, the longest waiting first, as far as
 * their origins have room. Deliveries that need no connection only count towards `free`.
 */
export function shareSlots(queues: readonly DueQueue[], { free, freeFor }: Room): Share[] {
  const inTurn = queues.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
  const shares = new Map<number | null, number>()
  const room = new Map<string, number>()
  let left = free
  let dealtBefore = 0
  do {
    dealtBefore = left
    for (const { webhookId, origin } of inTurn) {
      if (left === 0 || !takeRoom(origin, room, freeFor)) continue
      shares.set(webhookId, (shares.get(webhookId) ?? 0) + 1)
      left -= 1
    }
  } while (left > 0 && left < dealtBefore)
  return [...shares].map(([webhookId, count]) => ({ webhookId, count }))
}

function takeRoom(origin: string | null, room: Map<string, number>, freeFor: Room['freeFor']): boolean {
  if (origin === null) return true
  const left = room.get(origin) ?? freeFor(origin)
  room.set(origin, Math.max(left - 1, 0))
  return left > 0
}
