/** A limit: the number of posts allowed in a window, in milliseconds. */
export interface Limit {
  count: number
  windowMs: number
}

export interface PostLog {
  /** Time until the sender may post; 0 means now. */
  waitMs(sender: string, now: number): number
  add(sender: string, time: number): void
  remove(sender: string, time: number): void
  /** Merges the posts of one name into another, for a sender whose name changed. */
  join(before: string, sender: string): void
  /** Records that another server counted more: the sender has to wait until that time. */
  close(sender: string, until: number): void
  /** Number of senders in memory. */
  size(): number
}

const FIRST_SWEEP = 10_000

/**
 * Log of senders and their posts, in memory. A limit applies to every window of its length, not only to whole
 * minutes. Invariant: a sender's times ascend, and at most twice the largest limit is kept. Senders whose posts are
 * all outside every window are removed whenever the number of senders has doubled.
 */
export function createPostLog(limits: readonly Limit[]): PostLog {
  const timesBySender = new Map<string, number[]>()
  const keep = Math.max(...limits.map(({ count }) => count))
  const longestMs = Math.max(...limits.map(({ windowMs }) => windowMs))
  const closed = createClosed(longestMs)
  let sweepAt = FIRST_SWEEP

  function sweep(now: number) {
    for (const [sender, times] of timesBySender) {
      if ((times.at(-1) ?? 0) + longestMs <= now) timesBySender.delete(sender)
    }
    sweepAt = Math.max(FIRST_SWEEP, timesBySender.size * 2)
  }

  // After the clock is set back, posts in the future count as made now, so nobody waits longer than the window.
  function bringBack(times: number[], now: number) {
    for (let last = times.length - 1; last >= 0 && (times[last] as number) > now; last--) times[last] = now
  }

  // Keeps posts that still count, because some may be released.
  function forget(times: number[], now: number) {
    const counting = times.findIndex((time) => time + longestMs > now)
    times.splice(0, Math.max(counting, times.length - keep * 2))
  }

  return {
    waitMs(sender, now) {
      const times = timesBySender.get(sender) ?? []
      bringBack(times, now)
      const waits = limits.map(({ count, windowMs }) => {
        const first = times.at(-count)
        return first === undefined ? 0 : Math.max(first + windowMs - now, 0)
      })
      return Math.max(...waits, closed.waitMs(sender, now))
    },
    add(sender, time) {
      const times = timesBySender.get(sender)
      bringBack(times ?? [], time)
      if (times) times.push(time)
      else timesBySender.set(sender, [time])
      if (times && times.length > keep * 2) forget(times, time)
      if (timesBySender.size > sweepAt) sweep(time)
    },
    remove(sender, time) {
      const times = timesBySender.get(sender)
      const index = times?.lastIndexOf(time) ?? -1
      if (index >= 0) times?.splice(index, 1)
    },
    join(before, sender) {
      const earlier = timesBySender.get(before)
      if (!earlier) return
      timesBySender.set(sender, [...earlier, ...(timesBySender.get(sender) ?? [])])
      timesBySender.delete(before)
    },
    close: closed.close,
    size: () => timesBySender.size,
  }
}

/** Senders who have to wait, in memory. */
function createClosed(longestMs: number) {
  const untilBySender = new Map<string, number>()
  return {
    close(sender: string, until: number) {
      if (untilBySender.size >= FIRST_SWEEP) untilBySender.clear()
      untilBySender.set(sender, until)
    },
    // Nobody waits longer than the window, even after the clock is set back.
    waitMs(sender: string, now: number): number {
      const left = (untilBySender.get(sender) ?? now) - now
      return left > 0 && left <= longestMs ? left : 0
    },
  }
}
