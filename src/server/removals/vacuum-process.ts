import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCRIPT = fileURLToPath(new URL('../../../scripts/vacuum.ts', import.meta.url))

/** Runs `npm run vacuum` in a process of its own, as it blocks its thread. Throws what it says when it fails. */
export async function runVacuum(
  { dataDir, databasePath }: { dataDir: string; databasePath: string },
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: `file:${databasePath}`,
      // SQLite makes a copy for the time of it: beside the database, and not where others may read.
      SQLITE_TMPDIR: dirname(databasePath),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let reason = ''
  child.stderr.on('data', (chunk) => (reason += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(reason.trim())
}
