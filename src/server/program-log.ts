import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config.ts'

/** The program's log: JSON lines, on stdout when nothing else is said (contract §2). */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: withoutRows } }
  return destination ? pino(options, destination) : pino(options)
}

// PostgreSQL tells the whole row that it refused in the detail of its errors. Anything can be thrown, also null.
function withoutRows(error: unknown) {
  if (!(error instanceof Error)) return error
  const { detail, where, ...told } = stdSerializers.err(error)
  return told
}
