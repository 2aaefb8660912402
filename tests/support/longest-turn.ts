import { monitorEventLoopDelay } from 'node:perf_hooks'

const PROBE_EVERY_MS = 2

export interface LongestTurn {
  /** Longest CPU time of this thread between two samples, independent of other work on the machine. */
  ownMs: number
  /** Longest wall-clock time, including waiting for the disk and other programs. */
  clockMs: number
}

/**
 * Measures how long the event loop of this process is blocked; call it in the measured process. Returns two figures,
 * because on a busy machine the clock also measures other programs.
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
