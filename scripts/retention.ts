import { readConfig } from '../src/config.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { databaseCommandTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { applyRetention, type FormRetention, planRetention } from '../src/submissions/retention/retention.ts'
import { runCommand } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'

const OPTIONS = { 'dry-run': { type: 'boolean', default: false } } as const

await runCommand({ usage: usages.retention, options: OPTIONS }, async ({ 'dry-run': isDryRun }) => {
  const config = readConfig(undefined, { isReadOnly: isDryRun })
  await withMigratedDatabase(config.databaseUrl, { isDryRun }, async (db) => {
    const now = new Date()
    const files = openFileStore(config.filePlace, config)
    const forms = await (isDryRun ? planRetention(db, { now }) : applyRetention(db, { now, files }))
    print(forms, isDryRun ? databaseCommandTexts.retentionPlan : databaseCommandTexts.retention)
  })
})

function print(forms: readonly FormRetention[], describe: typeof databaseCommandTexts.retention) {
  if (forms.length === 0) console.log(databaseCommandTexts.retentionOff)
  for (const form of forms) console.log(describe(form.slug, form))
}
