import { join } from 'node:path'
import { createAutomaticBackups } from '../../backups/automatic-backups.ts'
import type { Config } from '../../config.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { runScript } from './script-process.ts'

/** Daily backups in `DATA_DIR/backups`; undefined for PostgreSQL, or when `BACKUP_KEEP` is 0. */
export function createDailyBackups({
  config,
  log,
  firstCheckMs,
}: {
  config: Pick<Config, 'backupKeep' | 'dataDir' | 'databaseUrl'>
  log: Pick<Log, 'info' | 'error'>
  firstCheckMs?: number
}): Worker | undefined {
  const environment = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl }
  if (config.backupKeep === 0 || !config.databaseUrl.startsWith('file:')) return undefined
  return createAutomaticBackups({
    folder: join(config.dataDir, 'backups'),
    keep: config.backupKeep,
    makeBackup: (file, signal) => runScript('backup', { args: [file], environment }, signal),
    now: () => new Date(),
    log,
    firstCheckMs,
  })
}
