import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { startAutomaticBackups } from '../backups/automatic-backups.ts'
import type { Config } from '../config.ts'

const SCRIPT = fileURLToPath(new URL('../../scripts/backup.ts', import.meta.url))

/** Daily backups in `DATA_DIR/backups`; none for PostgreSQL, or when `BACKUP_KEEP` is 0. */
export function startDailyBackups({ config, log }: { config: Config; log: Logger }): {
  stop(): Promise<void>
} {
  if (config.backupKeep === 0 || !config.databaseUrl.startsWith('file:')) return { stop: async () => {} }
  return startAutomaticBackups({
    folder: join(config.dataDir, 'backups'),
    keep: config.backupKeep,
    makeBackup: runBackup,
    now: () => new Date(),
    log,
  })
}

// Copying blocks its thread: a process of its own.
async function runBackup(file: string, signal: AbortSignal) {
  const child = spawn(process.execPath, [SCRIPT, file], { stdio: ['ignore', 'ignore', 'pipe'], signal })
  let reason = ''
  child.stderr.on('data', (chunk) => (reason += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(reason.trim())
}
