import { accessSync, constants } from 'node:fs'
import { codeOf } from './storage-failure.ts'

const HOW_TO_GO_ON = 'check DATABASE_URL'

const SERVER_PROBLEMS: Record<string, string> = {
  ECONNREFUSED: 'does not take connections',
  ECONNRESET: 'closed the connection',
  ETIMEDOUT: 'does not answer',
  EHOSTUNREACH: 'cannot be reached',
  ENOTFOUND: 'is not known by that name',
  EAI_AGAIN: 'is not known by that name just now',
  '28P01': 'refused the user or the password',
  '28000': 'refused the user',
  '3D000': 'has no such database',
  '53300': 'has no connection left',
  '57P03': 'is just starting or stopping',
}

const OTHER_WAYS_TO_GO_ON: Record<string, string> = {
  '53300':
    'raise its max_connections or lower DATABASE_POOL: each server of Signpost takes that many and one more, and a command some beside it',
  '57P03': 'try again in a moment',
}

// What `pg` and its pool say without a code.
const WITHOUT_CODE: readonly (readonly [said: RegExp, code: string])[] = [
  [/^Connection terminated unexpectedly/, 'ECONNRESET'],
  [/^(Connection terminated due to connection timeout|timeout expired)/, 'ETIMEDOUT'],
]

/** The failure to connect to a PostgreSQL server as one sentence, with the code it had; the password is never in it. */
export function serverProblem(error: unknown, databaseUrl: string): unknown {
  const code = codeOf(error) || codeOfText(error)
  const problem = SERVER_PROBLEMS[code]
  if (!problem) return error
  const { host, pathname } = new URL(databaseUrl)
  const advice = OTHER_WAYS_TO_GO_ON[code] ?? HOW_TO_GO_ON
  return explained(error, `The database server at ${host}${pathname} ${problem} (${code}); ${advice}`, code)
}

/** The failure to open an SQLite file as one sentence, with the code it had. */
export function fileProblem(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB')
    return explained(
      error,
      `${path} is no SQLite database: bring yours back with npm run restore; ${HOW_TO_GO_ON}`,
    )
  if (code.startsWith('SQLITE_CORRUPT'))
    return explained(error, `${path} is damaged (${error.message}): bring yours back with npm run restore`)
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR'))
    return explained(
      error,
      `The disk does not take what ${path} needs (${error.message.toLowerCase()}): look whether it is full or broken`,
    )
  const denied = findDenied(path)
  if (denied)
    return explained(
      error,
      `${denied} is not for this user: run this as the user that owns the other files there, or give it to that user`,
    )
  const isOurs = code.startsWith('SQLITE_') || /^Cannot open database/.test(error.message)
  if (!isOurs) return error
  return explained(
    error,
    `The database file ${path} cannot be opened (${error.message.toLowerCase()}); ${HOW_TO_GO_ON}`,
  )
}

// A command that was run as another user leaves a log that is not for this one.
function findDenied(path: string): string | undefined {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`].find(isDenied)
}

function isDenied(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

function explained(error: unknown, message: string, code = codeOf(error)): Error {
  return Object.assign(new Error(message, { cause: error }), { code })
}

function codeOfText(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  return WITHOUT_CODE.find(([said]) => said.test(text))?.[1] ?? ''
}
