import { readdir } from 'node:fs/promises'

const DAY_MS = 24 * 3_600_000
const NAME = /^(daily|before-restore)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/

/** Backups on this server that hold data which is about to be deleted. */
export interface HoldingBackups {
  /** When the last daily one is removed; undefined when none holds the data. UTC text. */
  until: string | undefined
  /** Those that nothing removes, newest first. */
  lasting: string[]
}

interface Backup {
  name: string
  isDaily: boolean
  madeAt: number
}

/**
 * Finds the backups in the folder that were made after `since` (UTC text; all without it), and when a server that makes one
 * backup a day and keeps `keep` of them will have removed them.
 */
export async function findHoldingBackups(
  folder: string,
  { keep, since }: { keep: number; since?: string | undefined },
): Promise<HoldingBackups> {
  const backups = await listBackups(folder)
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
async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch(() => [])
  return names.flatMap((name) => toBackup(name) ?? []).sort((a, b) => b.madeAt - a.madeAt)
}

function toBackup(name: string): Backup | undefined {
  const [, kind, ...parts] = NAME.exec(name) ?? []
  if (!kind) return undefined
  const [year = 0, month = 1, day, hour, minute, second, milliseconds] = parts.map(Number)
  const madeAt = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  return { name, isDaily: kind === 'daily', madeAt }
}
