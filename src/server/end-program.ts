import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'

/** Requests have 3 s and deliveries 5 s; systemd and Docker kill whatever takes longer than 15 s. */
const END_WITHIN_MS = 9_500

interface Ending {
  /** Finishes the work in progress. */
  stop(): Promise<void>
  /** Names what `stop` still waits for. */
  stillOpen(): string[]
  log: Pick<Log, 'error'>
  withinMs?: number
}

/**
 * Ends the program at the first SIGTERM, SIGINT, or SIGHUP (the terminal was closed): with status 0 if everything was
 * finished in time, otherwise with 1 after logging what hangs. The returned signal is aborted when this starts.
 */
export function endOnSignal({ stop, stillOpen, log, withinMs = END_WITHIN_MS }: Ending): AbortSignal {
  const ending = new AbortController()
  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    setTimeout(() => {
      log.error({ stillOpen: stillOpen(), withinMs }, logTexts.endedLate)
      process.exit(1)
    }, withinMs)
    stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err, stillOpen: stillOpen() }, logTexts.endFailed)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
  return ending.signal
}
