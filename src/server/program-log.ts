import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config.ts'

// Limit of buffered lines while the log can't be written. Further lines are dropped.
const MAX_WAITING_BYTES = 1024 * 1024

/** The program's log: JSON lines, on stdout by default (contract §2). */
export function createLog(
  level: Config['logLevel'],
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino({ level, serializers: { err: withoutRows } }, destination)
}

// On a full disk, pino's own destination blocks the whole program until there is space. That is worse than losing log
// lines.
function standardOutput(): DestinationStream {
  const output = pino.destination({
    sync: true,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => false,
  })
  output.on('error', () => {})
  return output
}

// PostgreSQL's error details contain the whole rejected row. Anything can be thrown, even null.
function withoutRows(error: unknown) {
  if (!(error instanceof Error)) return error
  const { detail, where, ...told } = stdSerializers.err(error)
  return told
}
