import { resolve } from 'node:path'
import { readConfig } from '../src/config.ts'
import { bindStoredSecrets } from '../src/content-files/bind-stored-secrets.ts'
import { exportContent } from '../src/content-files/export-content.ts'
import { connectDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { createRingBox } from '../src/lib/key-ring.ts'
import { createProgress } from '../src/lib/progress.ts'
import { runCommand, WrongUsage } from './command-line.ts'

const USAGE = 'npm run content:export -- --out DIR'

await runCommand({ usage: USAGE, options: { out: { type: 'string' } } }, async ({ out }) => {
  if (!out) throw new WrongUsage('--out is missing; expected a new or an empty folder')
  const config = readConfig()
  const db = connectDatabase(config.databaseUrl)
  try {
    await migrate(db)
    const secretBox = createRingBox(config.secretKeys)
    await db.transaction().execute((trx) => bindStoredSecrets(trx, { secretBox }))
    const paths = await exportContent(db, {
      out: resolve(out),
      environment: process.env,
      secretBox,
      progress: createProgress('Exporting content'),
    })
    console.log(`Exported ${paths.length} ${paths.length === 1 ? 'file' : 'files'} to ${out}`)
  } finally {
    await db.destroy()
  }
})
