import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { applyRetention, type FormRetention, planRetention } from '../src/submissions/retention/retention.ts'
import { runCommand } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'

const OPTIONS = { 'dry-run': { type: 'boolean', default: false } } as const

await runCommand(
  { usage: 'npm run retention [-- --dry-run]', options: OPTIONS },
  async ({ 'dry-run': isDryRun }) => {
    const config = readConfig(undefined, { isReadOnly: isDryRun })
    await withMigratedDatabase(config.databaseUrl, { isDryRun }, async (db) => {
      const now = new Date()
      const uploadsDir = join(config.dataDir, 'uploads')
      const forms = await (isDryRun ? planRetention(db, { now }) : applyRetention(db, { now, uploadsDir }))
      print(forms, isDryRun ? 'would be removed' : 'removed')
    })
  },
)

function print(forms: readonly FormRetention[], what: string) {
  if (forms.length === 0) console.log('No form has retention_days: everything is kept.')
  for (const { slug, days, before, count } of forms) {
    const submissions = count === 1 ? '1 submission' : `${count} submissions`
    console.log(`${slug}: ${submissions} from before ${before} ${what} (kept for ${days} days)`)
  }
}
