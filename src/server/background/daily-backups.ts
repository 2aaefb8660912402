import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAutomaticBackups } from '../../backups/automatic-backups.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../lib/log.ts'
import type { Worker } from '../../lib/work/worker.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/backup.ts', import.meta.url))

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
  if (config.backupKeep === 0 || !config.databaseUrl.startsWith('file:')) return undefined
  return createAutomaticBackups({
    folder: join(config.dataDir, 'backups'),
    keep: config.backupKeep,
    makeBackup: (file, signal) => runBackup(config, file, signal),
    now: () => new Date(),
    log,
    firstCheckMs,
  })
}

// Copying blocks its thread: a process of its own.
async function runBackup(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  file: string,
  signal: AbortSignal,
) {
  const child = spawn(process.execPath, [SCRIPT, file], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let reason = ''
  child.stderr.on('data', (chunk) => (reason += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(reason.trim())
}
