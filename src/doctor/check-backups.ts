import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findLastBackup } from '../backups/backup-turn-store.ts'
import { findClientProblem } from '../backups/postgres-programs.ts'
import { backupStoreOf, listStoredBackups, timeOf } from '../backups/stored-backups.ts'
import type { Config } from '../config.ts'
import { connectDatabase } from '../db/connect.ts'
import { PROMPT } from '../db/deadlines.ts'
import { type Finding, ok, warning } from './finding.ts'

const NAME = 'backups'
const DAY_MS = 24 * 3_600_000
const LATE_DAYS = 3

/** Returns whether there is a copy to go back to, and one of these days. */
export async function checkBackups(config: Config, now = Date.now): Promise<Finding> {
  const { dataDir, databaseUrl, backupKeep } = config
  if (backupKeep === 0) return warning(NAME, 'backupsOff')
  const store = backupStoreOf(config)
  if (!databaseUrl.startsWith('file:')) return checkBackupsOfAll(databaseUrl, { now, isStored: !!store })
  const newest = store
    ? (await listStoredBackups(store)).map((name) => ({ name, madeAt: timeOf(name) }))[0]
    : await findNewestBackup(join(dataDir, 'backups'))
  if (!newest) return warning(NAME, 'noBackups')
  return judgeAge(newest, { now, isStored: !!store })
}

interface Judging {
  now: () => number
  /** True if `FILE_STORE` has it. */
  isStored: boolean
}

// On PostgreSQL one of the servers makes them.
async function checkBackupsOfAll(databaseUrl: string, judging: Judging): Promise<Finding> {
  await using db = connectDatabase(databaseUrl, { deadlines: PROMPT })
  try {
    const problem = await findClientProblem(db, 'pg_dump')
    const last = await findLastBackup(db)
    const name = last && `${last.name} (${last.server})`
    if (problem) return warning(NAME, 'backupsImpossible', problem.message, name)
    return name ? judgeAge({ name, madeAt: Date.parse(last.madeAt) }, judging) : warning(NAME, 'noBackups')
  } catch (error) {
    return warning(NAME, 'notChecked', (error as Error).message)
  }
}

function judgeAge({ name, madeAt }: { name: string; madeAt: number }, { now, isStored }: Judging): Finding {
  const days = Math.floor((now() - madeAt) / DAY_MS)
  if (days >= LATE_DAYS) return warning(NAME, 'oldBackup', name, days)
  return ok(NAME, isStored ? 'newestStoredBackup' : 'newestBackup', name)
}

async function findNewestBackup(folder: string) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.db'))
  const dated = names.map((name) => ({ name, madeAt: statSync(join(folder, name)).mtimeMs }))
  return dated.sort((a, b) => b.madeAt - a.madeAt)[0]
}
