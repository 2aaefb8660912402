import { statSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { rewriteFile } from '../src/db/rewrite-file.ts'
import { runCommand } from './command-line.ts'
import { withCurrentDatabase } from './open-database.ts'

await runCommand({ usage: 'npm run vacuum', options: {} }, async () => {
  const { databaseUrl } = readConfig(undefined, { isReadOnly: true })
  if (!databaseUrl.startsWith('file:'))
    throw new Error('This database is PostgreSQL: run VACUUM FULL in it instead')
  const path = databaseUrl.slice('file:'.length)
  await withCurrentDatabase(databaseUrl, rewriteFile)
  console.log(`Rewrote ${path} without removed data: ${Math.ceil(statSync(path).size / 1e6)} MB`)
})
