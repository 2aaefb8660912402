import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Db } from '../db/schema.ts'
import { Failure } from '../lib/messages.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import { findServerVersion } from './backed-up-rows-store.ts'

export type Program = 'pg_dump' | 'pg_restore'

/** URL parameters that PostgreSQL's own programs support too. */
const KNOWN_PARAMETERS = new Set(['host', 'port', 'options', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert'])
// The owner of the target owns what is restored. Only a superuser may comment on extensions.
const PLAIN = ['--no-owner', '--no-privileges', '--no-comments']
const LOCKS_WITHIN = '60s'

/** Returns why this machine's copy of the program does not fit the server; undefined when it does. */
export async function findClientProblem(
  db: Db,
  program: Program,
): Promise<Failure<typeof backupTexts, 'clientMissing' | 'clientOld'> | undefined> {
  const needed = await findServerVersion(db)
  const found = await findClientVersion(program)
  if (found === undefined) return new Failure(backupTexts, 'clientMissing', program, needed)
  return found < needed ? new Failure(backupTexts, 'clientOld', program, found, needed) : undefined
}

async function findClientVersion(program: Program): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'])
    return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads a dump of an exported snapshot, in the custom format. Throws if it is incomplete. */
export async function* readDump(databaseUrl: string, snapshot: string): AsyncIterable<Buffer> {
  const options = ['--format=custom', `--snapshot=${snapshot}`, `--lock-wait-timeout=${LOCKS_WITHIN}`]
  const child = start('pg_dump', [...options, ...PLAIN], databaseUrl)
  const ending = endOf(child)
  child.stdin.end()
  yield* child.stdout as AsyncIterable<Buffer>
  const problem = await ending
  if (problem) throw new Failure(backupTexts, 'dumpFailed', problem)
}

/** Restores a dump in one transaction: all of it, or nothing. */
export async function restoreDump(databaseUrl: string, parts: Iterable<Buffer>): Promise<void> {
  const child = start('pg_restore', ['--single-transaction', '--exit-on-error', ...PLAIN], databaseUrl)
  const ending = endOf(child)
  child.stdout.resume()
  // If it ends early, it reports why.
  const unsent = await pipeline(Readable.from(parts), child.stdin).catch((error: Error) => error)
  const problem = await ending
  if (problem) throw new Failure(backupTexts, 'restoreFailed', problem)
  if (unsent) throw unsent
}

// Anyone on the machine can read arguments, but only the process's user its environment.
function start(program: Program, args: readonly string[], databaseUrl: string) {
  const { address, password } = splitAddress(databaseUrl)
  const env = { ...process.env, PGCONNECT_TIMEOUT: '10', ...(password && { PGPASSWORD: password }) }
  return spawn(program, [...args, `--dbname=${address}`], { env, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** The address for PostgreSQL's programs without the password, and the password. */
export function splitAddress(databaseUrl: string): { address: string; password: string } {
  const url = new URL(databaseUrl)
  const parameters = url.searchParams
  const password = parameters.get('password') ?? decodeURIComponent(url.password)
  url.password = ''
  if (/^(true|1)$/.test(parameters.get('ssl') ?? '') && !parameters.has('sslmode'))
    parameters.set('sslmode', 'require')
  // Only Node's driver knows it.
  if (parameters.get('sslmode') === 'no-verify') parameters.set('sslmode', 'require')
  for (const name of [...parameters.keys()]) if (!KNOWN_PARAMETERS.has(name)) parameters.delete(name)
  return { address: url.href, password }
}

// Undefined if it succeeds; otherwise its output.
async function endOf(child: ChildProcess): Promise<string | undefined> {
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  try {
    const [code] = await once(child, 'close')
    return code === 0 ? undefined : said.trim().replaceAll('\n', '; ') || `exit code ${code}`
  } catch (error) {
    return (error as Error).message
  }
}
