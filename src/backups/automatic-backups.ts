import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from '../files/file-store.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import {
  listBackupsIn,
  listStoredBackups,
  removeStoredBackup,
  storeBackups,
  timeOf,
} from './stored-backups.ts'

const DAY_MS = 24 * 3_600_000
const CHECK_MS = 10 * 60_000
const FIRST_CHECK_MS = 60_000
// Leftovers of a crash or a stop in the middle of a backup.
const UNFINISHED = /^(daily|before-restore)-.*\.unfinished(-journal)?$/

interface AutomaticBackupOptions {
  /** Folder of the backups, or where they are made for `store`; other files in it are not touched. */
  folder: string
  /** Keeps the backups instead of the folder. */
  store?: FileStore | undefined
  /** Number of backups to keep. */
  keep: number
  /** Makes a backup under that name, outside this thread. */
  makeBackup(file: string, signal: AbortSignal): Promise<void>
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
  /**
   * Lets one of several servers make the backup; without it, the newest one in the folder determines when the next is
   * due.
   */
  turn?: BackupTurn | undefined
}

/** Coordinates several servers that share one daily backup. */
export interface BackupTurn {
  /** True if this server should make today's backup, which it then reports. */
  claim(): Promise<boolean>
  /** Records the name of what it made; undefined for none. */
  settle(name: string | undefined): Promise<void>
}

/**
 * Makes a backup whenever the newest is a day old, and removes the oldest. Checks a minute after the start, then every
 * ten minutes; `stop` aborts a backup in progress.
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

/** Checks once: see `createAutomaticBackups`. A failed backup removes no earlier one. */
export async function backUpWhenDue(options: AutomaticBackupOptions, signal: AbortSignal): Promise<void> {
  const { folder, store, keep, now, log } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const left of (await readdir(folder)).filter((name) => UNFINISHED.test(name)))
    await rm(join(folder, left))
  const due = await isDue(options)
  if (due) {
    const name = `daily-${now().toISOString().replace(/[-:.]/g, '')}.db`
    await makeInTurn(name, options, signal)
    log.info({ backup: name }, logTexts.backupMade)
  }
  const moved = store ? await storeBackups(store, folder) : 0
  if (!due && moved === 0) return
  for (const old of oldestLast(await listMade(options), now()).slice(keep))
    await (store ? removeStoredBackup(store, old) : rm(join(folder, old)))
}

async function isDue(options: AutomaticBackupOptions): Promise<boolean> {
  const { now, turn } = options
  if (turn) return turn.claim()
  const newest = (await listMade(options)).map(timeOf).find((time) => time <= now().getTime())
  return newest === undefined || now().getTime() - newest >= DAY_MS
}

function listMade({ folder, store }: AutomaticBackupOptions): Promise<string[]> {
  return store ? listStoredBackups(store) : listBackupsIn(folder)
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

// Backups from the future were made before the clock was set back: they don't count, and would displace today's.
function oldestLast(names: readonly string[], now: Date): string[] {
  const isAhead = (name: string) => timeOf(name) > now.getTime()
  return [...names.filter((name) => !isAhead(name)), ...names.filter(isAhead)]
}
