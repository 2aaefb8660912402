import { readConfig } from '../src/config.ts'
import type { Preference } from '../src/content-files/syncing/plan-sync.ts'
import { syncContent } from '../src/content-files/syncing/sync-content.ts'
import { openSecretBox } from '../src/db/secret-key-store.ts'
import { createRingBox } from '../src/lib/key-ring.ts'
import { createProgress } from '../src/lib/progress.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'
import { reportSync } from './report-sync.ts'

const USAGE = 'npm run content:sync [-- [--dry-run] [--prefer file|database [--only PATH]]]'
const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  prefer: { type: 'string' },
  only: { type: 'string' },
} as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ prefer, only, 'dry-run': dryRun }) => {
  const preference = readPreference(prefer)
  if (only !== undefined && !preference) throw new WrongUsage('--only goes with --prefer')
  const config = readConfig(undefined, { isReadOnly: dryRun })
  await withMigratedDatabase(config.databaseUrl, { isDryRun: dryRun }, async (db) => {
    const secretBox = dryRun ? createRingBox(config.secretKeys) : await openSecretBox(db, config.secretKeys)
    const result = await syncContent(db, {
      contentDir: config.contentDir,
      environment: process.env,
      secretBox,
      now: new Date(),
      dryRun,
      prefer: preference,
      only,
      progress: createProgress('Syncing content'),
    })
    const { contentDir, dataDir } = config
    const left = reportSync(result, { contentDir, dataDir, dryRun })
    if (left) throw new Error(left)
  })
})

function readPreference(text: string | undefined): Preference | undefined {
  if (text === undefined || text === 'file' || text === 'database') return text
  throw new WrongUsage(`--prefer is "${text}"; expected file or database`)
}
