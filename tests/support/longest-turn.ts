import { monitorEventLoopDelay } from 'node:perf_hooks'

const PROBE_EVERY_MS = 2

export interface LongestTurn {
  /** What this thread itself worked at most between two looks, whatever else the machine did. */
  ownMs: number
  /** As the clock saw it: waiting for the disk and for other programs included. */
  clockMs: number
}

/**
 * Watches how long the event loop of this process is held; call it in the process that is measured. Two measures,
 * because on a machine that is busy the clock alone tells of its neighbors.
 */
export function watchLoop(): { end(): LongestTurn } {
  const delay = monitorEventLoopDelay({ resolution: PROBE_EVERY_MS })
  let ownMs = 0
  let before = ownTimeMs()
  const look = () => {
    const now = ownTimeMs()
    ownMs = Math.max(ownMs, now - before)
    before = now
  }
  const timer = setInterval(look, PROBE_EVERY_MS).unref()
  delay.enable()
  return {
    end() {
      clearInterval(timer)
      look()
      delay.disable()
      return { ownMs, clockMs: delay.max / 1e6 }
    },
  }
}

function ownTimeMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
