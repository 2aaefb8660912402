import { statSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { rewriteFile } from '../src/db/rewrite-file.ts'
import { Failure } from '../src/lib/messages.ts'
import { databaseCommandTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { runCommand } from './command-line.ts'
import { withCurrentDatabase } from './open-database.ts'

await runCommand({ usage: usages.vacuum, options: {} }, async () => {
  const { databaseUrl } = readConfig(undefined, { isReadOnly: true })
  if (!databaseUrl.startsWith('file:')) throw new Failure(databaseCommandTexts, 'vacuumOfPostgres')
  const path = databaseUrl.slice('file:'.length)
  await withCurrentDatabase(databaseUrl, rewriteFile)
  console.log(databaseCommandTexts.rewritten(path, Math.ceil(statSync(path).size / 1e6)))
})
