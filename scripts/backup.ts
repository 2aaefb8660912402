import { resolve } from 'node:path'
import { makeBackup } from '../src/backups/make-backup.ts'
import { makePostgresBackup } from '../src/backups/make-postgres-backup.ts'
import { readConfig } from '../src/config.ts'
import { backupTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { backupSourceOf } from './backup-source.ts'
import { runCommand } from './command-line.ts'

await runCommand({ usage: usages.backup, options: {}, positionals: 1 }, async (_, [file = '']) => {
  // A key created here would not be the database's key.
  const source = backupSourceOf(readConfig(undefined, { isReadOnly: true }))
  const startedAt = performance.now()
  const target = { file: resolve(file), now: new Date() }
  const report = await ('databaseUrl' in source
    ? makePostgresBackup(source, target)
    : makeBackup(source, target))
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(backupTexts.made({ ...report, seconds }))
})
