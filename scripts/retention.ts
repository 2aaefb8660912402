import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { connectDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { applyRetention, type FormRetention, planRetention } from '../src/submissions/retention.ts'
import { runCommand } from './command-line.ts'

await runCommand(
  { usage: 'npm run retention [-- --dry-run]', options: { 'dry-run': { type: 'boolean' } } },
  async ({ 'dry-run': isDryRun }) => {
    const config = readConfig()
    const db = connectDatabase(config.databaseUrl)
    try {
      await migrate(db)
      const now = new Date()
      const uploadsDir = join(config.dataDir, 'uploads')
      const forms = await (isDryRun ? planRetention(db, { now }) : applyRetention(db, { now, uploadsDir }))
      print(forms, isDryRun ? 'would be removed' : 'removed')
    } finally {
      await db.destroy()
    }
  },
)

function print(forms: readonly FormRetention[], what: string) {
  if (forms.length === 0) console.log('No form has retention_days: everything is kept.')
  for (const { slug, days, before, count } of forms) {
    const submissions = count === 1 ? '1 submission' : `${count} submissions`
    console.log(`${slug}: ${submissions} from before ${before} ${what} (kept for ${days} days)`)
  }
}
