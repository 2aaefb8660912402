import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { describeServerProblem, fileProblems } from '../messages/server/database.ts'
import { codeOf } from './storage-failure.ts'

// Messages of `pg` and its pool without a code.
const WITHOUT_CODE: readonly (readonly [said: RegExp, code: string])[] = [
  [/^Connection terminated unexpectedly/, 'ECONNRESET'],
  [/^(Connection terminated due to connection timeout|timeout expired)/, 'ETIMEDOUT'],
]

/** The failure to connect to a PostgreSQL server as one sentence, with its code; never with the password. */
export function serverProblem(error: unknown, databaseUrl: string): unknown {
  const code = codeOf(error) || codeOfText(error)
  const { host, pathname } = new URL(databaseUrl)
  const problem = describeServerProblem(code, host + pathname)
  return problem ? explained(error, problem, code) : error
}

/** The failure to open an SQLite file as one sentence, with its code. */
export function fileProblem(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  const reason = error.message
  if (code === 'SQLITE_NOTADB') return explained(error, fileProblems.notADatabase(path))
  if (code.startsWith('SQLITE_CORRUPT')) return explained(error, fileProblems.damaged(path, reason))
  if (code === 'SQLITE_FULL' || code.startsWith('SQLITE_IOERR'))
    return explained(error, fileProblems.diskFull(path, reason.toLowerCase()))
  const denied = findDenied(path)
  if (denied) return explained(error, fileProblems.denied(denied))
  if (isDenied(dirname(path))) return explained(error, fileProblems.folderDenied(dirname(path)))
  const isOurs = code.startsWith('SQLITE_') || /^Cannot open database/.test(reason)
  return isOurs ? explained(error, fileProblems.unopened(path, reason.toLowerCase())) : error
}

// A command run as another user leaves a WAL file that this user cannot read.
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
