import { readdir } from 'node:fs/promises'
import type { FileStore } from '../files/file-store.ts'
import { listStoredBackups } from './stored-backups.ts'

const DAY_MS = 24 * 3_600_000
const NAME = /^(daily|before-restore)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/

/** Backups on this server and in `FILE_STORE` that contain data about to be deleted. */
export interface HoldingBackups {
  /** When the last daily one is removed; undefined if none contains the data. UTC text. */
  until: string | undefined
  /** Backups that are never removed automatically, newest first. */
  lasting: string[]
}

interface Backup {
  name: string
  isDaily: boolean
  madeAt: number
}

/**
 * Finds the backups in the folder and the store that were made after `since` (UTC text; all without it), and when a server that makes one
 * backup a day and keeps `keep` of them will have removed them.
 */
export async function findHoldingBackups(
  folder: string,
  { keep, since, store }: { keep: number; since?: string | undefined; store?: FileStore | undefined },
): Promise<HoldingBackups> {
  const backups = await listBackups(folder, store)
  const isHolding = ({ madeAt }: Backup) => since === undefined || madeAt >= Date.parse(since)
  const [newestDaily] = backups.filter(({ isDaily }) => isDaily)
  const isRemoved = ({ isDaily }: Backup) => isDaily && keep > 0
  const lasting = backups.filter((backup) => isHolding(backup) && !isRemoved(backup))
  // The newest is deleted last: once `keep` newer backups exist.
  const isHeld = keep > 0 && newestDaily !== undefined && isHolding(newestDaily)
  return {
    until: isHeld ? new Date(newestDaily.madeAt + keep * DAY_MS).toISOString() : undefined,
    lasting: lasting.map(({ name }) => name),
  }
}

// Newest first.
async function listBackups(folder: string, store: FileStore | undefined): Promise<Backup[]> {
  const names: string[] = await readdir(folder).catch(() => [])
  const stored = store ? await listStoredBackups(store) : []
  return [...names, ...stored].flatMap((name) => toBackup(name) ?? []).sort((a, b) => b.madeAt - a.madeAt)
}

function toBackup(name: string): Backup | undefined {
  const [, kind, ...parts] = NAME.exec(name) ?? []
  if (!kind) return undefined
  const [year = 0, month = 1, day, hour, minute, second, milliseconds] = parts.map(Number)
  const madeAt = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  return { name, isDaily: kind === 'daily', madeAt }
}
