import { join, resolve } from 'node:path'
import { restoreBackup } from '../src/backups/restore-backup.ts'
import { readConfig } from '../src/config.ts'
import { findKeyProblem } from '../src/db/secret-key-store.ts'
import { runCommand } from './command-line.ts'
import { sqlitePath, withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: 'npm run restore -- FILE [--any-key]',
    options: { 'any-key': { type: 'boolean' } },
    positionals: 1,
  },
  async (options, [file = '']) => {
    const { databaseUrl, dataDir, secretKey } = readConfig()
    const target = { databasePath: sqlitePath(databaseUrl), uploadsDir: join(dataDir, 'uploads'), secretKey }
    const keepDir = join(dataDir, 'backups')
    const report = await restoreBackup(target, {
      ...{ file: resolve(file), keepDir, now: new Date() },
      anyKey: options['any-key'] === true,
    })
    console.log(
      `Restored the state of ${report.madeAt}. Run npm start: pages that differ are published again.`,
    )
    if (report.keptAt) console.log(`What was there before is in ${report.keptAt}`)
    await withDatabase(databaseUrl, async (db) => {
      const problem = await findKeyProblem(db, secretKey)
      if (problem) console.log(`Before you start it: ${problem}`)
    })
  },
)
