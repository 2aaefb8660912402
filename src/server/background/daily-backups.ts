import { join } from 'node:path'
import { type BackupTurn, createAutomaticBackups } from '../../backups/automatic-backups.ts'
import { claimBackup, settleBackup } from '../../backups/backup-turn-store.ts'
import { findClientProblem } from '../../backups/postgres-programs.ts'
import { backupStoreOf } from '../../backups/stored-backups.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { machineOf } from '../../publish/publish-lock.ts'
import { runScript } from './script-process.ts'

/**
 * Daily backups in `DATA_DIR/backups` or `FILE_STORE`; undefined when `BACKUP_KEEP` is 0. On PostgreSQL, one server with
 * a suitable `pg_dump` makes them; doctor reports servers without one.
 */
export function createDailyBackups({
  db,
  config,
  log,
  firstCheckMs,
}: {
  db: Db
  config: Pick<Config, 'backupKeep' | 'dataDir' | 'databaseUrl' | 'filePlace'>
  log: Pick<Log, 'info' | 'error'>
  firstCheckMs?: number
}): Worker | undefined {
  const environment = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl }
  if (config.backupKeep === 0) return undefined
  return createAutomaticBackups({
    folder: join(config.dataDir, 'backups'),
    store: backupStoreOf(config),
    keep: config.backupKeep,
    makeBackup: (file, signal) => runScript('backup', { args: [file], environment }, signal),
    now: () => new Date(),
    log,
    turn: config.databaseUrl.startsWith('file:') ? undefined : createTurn(db, machineOf(config.dataDir)),
    firstCheckMs,
  })
}

function createTurn(db: Db, server: string): BackupTurn {
  return {
    claim: async () => !(await findClientProblem(db, 'pg_dump')) && (await claimBackup(db, server)),
    settle: (name) => settleBackup(db, name === undefined ? undefined : { name, server }),
  }
}
