import { readConfig } from '../src/config.ts'
import type { Preference } from '../src/content-files/plan-sync.ts'
import { syncContent } from '../src/content-files/sync-content.ts'
import { connectDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { createProgress } from '../src/lib/progress.ts'
import { createSecretBox } from '../src/lib/secret-box.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { reportSync } from './report-sync.ts'

const USAGE = 'npm run content:sync [-- [--dry-run] [--prefer file|database]]'
const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, prefer: { type: 'string' } } as const

await runCommand({ usage: USAGE, options: OPTIONS }, async ({ prefer, 'dry-run': dryRun }) => {
  const preference = readPreference(prefer)
  const config = readConfig()
  const db = connectDatabase(config.databaseUrl)
  try {
    await migrate(db)
    const result = await syncContent(db, {
      contentDir: config.contentDir,
      environment: process.env,
      secretBox: createSecretBox(config.secretKey),
      now: new Date(),
      dryRun,
      prefer: preference,
      progress: createProgress('Syncing content'),
    })
    reportSync(result, { contentDir: config.contentDir, dryRun })
  } finally {
    await db.destroy()
  }
})

function readPreference(text: string | undefined): Preference | undefined {
  if (text === undefined || text === 'file' || text === 'database') return text
  throw new WrongUsage(`--prefer is "${text}"; expected file or database`)
}
