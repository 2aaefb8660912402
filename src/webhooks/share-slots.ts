/** A webhook with deliveries that are due. */
export interface DueQueue {
  /** Null for deliveries whose webhook was deleted. */
  webhookId: number | null
  url: string | null
  /** When its first delivery became due. */
  dueAt: string
}

/** How many deliveries of a webhook may be claimed now. */
export interface Share {
  webhookId: number | null
  count: number
}

interface Room {
  free: number
  freeFor: (origin: string) => number
}

/**
 * Deals free slots out to the webhooks with due deliveries, one to each in turn, the longest waiting first, as far as
 * their origins have room. Deliveries of deleted webhooks need no connection and only count towards `free`.
 */
export function shareSlots(queues: readonly DueQueue[], { free, freeFor }: Room): Share[] {
  const inTurn = queues.toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
  const shares = new Map<number | null, number>()
  const room = new Map<string, number>()
  let left = free
  let dealtBefore = 0
  do {
    dealtBefore = left
    for (const { webhookId, url } of inTurn) {
      if (left === 0 || !takeRoom(url, room, freeFor)) continue
      shares.set(webhookId, (shares.get(webhookId) ?? 0) + 1)
      left -= 1
    }
  } while (left > 0 && left < dealtBefore)
  return [...shares].map(([webhookId, count]) => ({ webhookId, count }))
}

/** `https://hooks.example.com` of a destination; its own text when it is no address. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

function takeRoom(url: string | null, room: Map<string, number>, freeFor: Room['freeFor']): boolean {
  if (url === null) return true
  const origin = originOf(url)
  const left = room.get(origin) ?? freeFor(origin)
  room.set(origin, Math.max(left - 1, 0))
  return left > 0
}
