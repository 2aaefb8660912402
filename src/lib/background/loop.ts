import { setImmediate as nextTick } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { type Alarm, createAlarm } from './alarm.ts'

interface LoopOptions {
  /** Milliseconds from the start of one turn to the start of the next, unless the turn says how long the pause is. */
  everyMs: number
  /** Milliseconds before the first turn; none by default. */
  firstAfterMs?: number
  /** Milliseconds after a turn that failed; by default the same as after any other. */
  afterErrorMs?: number
  /** Does the work; the signal is aborted when the loop is stopped. */
  turn(signal: AbortSignal): Promise<void> | Promise<Pause>
  /** The log message for a failed turn. */
  failure: string
  log: Pick<Log, 'error'>
  /** Wakes the loop, and turns that sleep on it. */
  alarm?: Alarm
}

/** Returned by a turn to start the next one after this many milliseconds. A plain number would be ambiguous. */
export interface Pause {
  pauseMs: number
}

/** Repeated work beside the server, one turn after another. */
export interface Loop {
  start(): void
  /** Ends the pause: the next turn starts at once, or right after the running one. */
  wake(): void
  /** Stops starting turns; resolves when none runs. */
  stop(): Promise<void>
}

/** Creates a loop that continues after errors. Nothing runs before `start`. */
export function createLoop({
  everyMs,
  firstAfterMs = 0,
  alarm = createAlarm(),
  ...options
}: LoopOptions): Loop {
  const { turn, failure, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | undefined

  async function run() {
    if (firstAfterMs > 0) await alarm.sleep(firstAfterMs)
    while (!signal.aborted) {
      const pauseMs = await takeTurn()
      if (signal.aborted) return
      // Even without a pause, other work gets its turn.
      await (pauseMs > 0 ? alarm.sleep(pauseMs) : nextTick())
    }
  }

  async function takeTurn(): Promise<number> {
    const start = performance.now()
    const untilNext = () => Math.max(everyMs - (performance.now() - start), 0)
    try {
      return (await turn(signal))?.pauseMs ?? untilNext()
    } catch (err) {
      // Aborted work has not failed.
      const isBrokenOff = signal.aborted && err instanceof Error && err.name === 'AbortError'
      if (!isBrokenOff) log.error({ err }, failure)
      return options.afterErrorMs ?? untilNext()
    }
  }

  return {
    start() {
      if (running) throw new Error('A loop is started once')
      running = run()
    },
    wake: alarm.ring,
    async stop() {
      stopping.abort()
      alarm.ring()
      await running
    },
  }
}
