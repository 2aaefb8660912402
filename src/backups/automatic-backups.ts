import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'

const DAY_MS = 24 * 3_600_000
const CHECK_MS = 10 * 60_000
const FIRST_CHECK_MS = 60_000
const NAME = /^daily-\d{8}T\d{9}Z\.db$/
// Leftovers of a crash or a stop in the middle of a backup.
const UNFINISHED = /^(daily|before-restore)-.*\.unfinished(-journal)?$/

interface AutomaticBackupOptions {
  /** Folder of the backups; other files in it are not touched. */
  folder: string
  /** Number of backups to keep. */
  keep: number
  /** Makes one under that name, outside this thread. */
  makeBackup(file: string, signal: AbortSignal): Promise<void>
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
  /** Lets one of several servers make it; without it, the newest in the folder says when the next is due. */
  turn?: BackupTurn | undefined
}

/** Turns of several servers that make one backup a day together. */
export interface BackupTurn {
  /** True if this server should make today's backup, which it then reports. */
  claim(): Promise<boolean>
  /** Records the name of what it made; undefined for none. */
  settle(name: string | undefined): Promise<void>
}

/**
 * Makes a backup whenever the newest is a day old, and removes the oldest. Looks a minute after the start, then every ten;
 * `stop` gives one under way up.
 */
export function createAutomaticBackups({
  firstCheckMs = FIRST_CHECK_MS,
  ...options
}: AutomaticBackupOptions & { firstCheckMs?: number | undefined }): Loop {
  return createLoop({
    everyMs: CHECK_MS,
    firstAfterMs: firstCheckMs,
    turn: (signal) => backUpWhenDue(options, signal),
    failure: logTexts.backupFailed,
    log: options.log,
  })
}

/** One look: see `createAutomaticBackups`. A backup that fails removes none of the earlier ones. */
export async function backUpWhenDue(options: AutomaticBackupOptions, signal: AbortSignal): Promise<void> {
  const { folder, keep, now, log } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of await listNames(folder, UNFINISHED)) await rm(join(folder, left))
  if (!(await isDue(options))) return
  const name = `daily-${now().toISOString().replace(/[-:.]/g, '')}.db`
  await makeInTurn(name, options, signal)
  log.info({ backup: name }, logTexts.backupMade)
  for (const old of oldestLast(await listNames(folder, NAME), now()).slice(keep)) await rm(join(folder, old))
}

async function isDue({ folder, now, turn }: AutomaticBackupOptions): Promise<boolean> {
  if (turn) return turn.claim()
  const newest = (await listNames(folder, NAME)).map(timeOf).find((time) => time <= now().getTime())
  return newest === undefined || now().getTime() - newest >= DAY_MS
}

async function makeInTurn(
  name: string,
  { folder, makeBackup, turn }: AutomaticBackupOptions,
  signal: AbortSignal,
) {
  let made: string | undefined
  try {
    await makeBackup(join(folder, name), signal)
    made = name
  } finally {
    await turn?.settle(made)
  }
}

// Those that lie ahead were made before the clock was set back: they say nothing of today, and would push it out.
function oldestLast(names: readonly string[], now: Date): string[] {
  const isAhead = (name: string) => timeOf(name) > now.getTime()
  return [...names.filter((name) => !isAhead(name)), ...names.filter(isAhead)]
}

// Newest first.
async function listNames(folder: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(folder))
    .filter((name) => pattern.test(name))
    .sort()
    .reverse()
}

function timeOf(name: string): number {
  const [, year, month, day, hour, minute, second] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(
    name,
  ) as RegExpExecArray
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}
