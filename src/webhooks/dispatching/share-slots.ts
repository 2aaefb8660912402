import type { Target } from './origin-slots.ts'

/** A webhook with deliveries that are due. */
export interface DueQueue {
  /** Null for deliveries whose webhook was deleted. */
  webhookId: number | null
  /** Destination; null if they need no connection, since they cannot be sent. */
  target: Target | null
  /** When its first delivery became due. */
  dueAt: string
}

/** Number of deliveries of a webhook that may be claimed now. */
export interface Share {
  webhookId: number | null
  count: number
}

/** Numbers of deliveries that may be claimed in all, for an address, and for all addresses of an origin. */
export interface Room {
  free: number
  freeFor: (url: string) => number
  freeAt: (origin: string) => number
}

/**
 * Assigns free slots to the webhooks with due deliveries, one to each in turn, the longest waiting first, within the
 * limits of their addresses and origins. Deliveries that need no connection only count toward `free`.
 */
export function shareSlots(queues: readonly DueQueue[], { free, freeFor, freeAt }: Room): Share[] {
  const inTurn = queues.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
  const shares = new Map<number | null, number>()
  const [leftFor, leftAt] = [new Map<string, number>(), new Map<string, number>()]
  const takeRoom = ({ url, origin }: Target) => {
    const ofAddress = leftFor.get(url) ?? freeFor(url)
    const ofOrigin = leftAt.get(origin) ?? freeAt(origin)
    if (ofAddress <= 0 || ofOrigin <= 0) return false
    leftFor.set(url, ofAddress - 1)
    leftAt.set(origin, ofOrigin - 1)
    return true
  }
  let left = free
  let dealtBefore = 0
  do {
    dealtBefore = left
    for (const { webhookId, target } of inTurn) {
      if (left === 0 || (target && !takeRoom(target))) continue
      shares.set(webhookId, (shares.get(webhookId) ?? 0) + 1)
      left -= 1
    }
  } while (left > 0 && left < dealtBefore)
  return [...shares].map(([webhookId, count]) => ({ webhookId, count }))
}
