import { resolve } from 'node:path'
import { readConfig } from '../src/config.ts'
import { bindStoredSecrets } from '../src/content-files/bind-stored-secrets.ts'
import { exportContent } from '../src/content-files/export-content.ts'
import { connectDatabase } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { createRingBox } from '../src/lib/key-ring.ts'
import { createProgress } from '../src/lib/progress.ts'
import { contentTexts } from '../src/messages/command-line/content.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { openSharedSite } from '../src/publish/shared/shared-site.ts'
import { runCommand, WrongUsage } from './command-line.ts'

await runCommand({ usage: usages.contentExport, options: { out: { type: 'string' } } }, async ({ out }) => {
  if (!out) throw new WrongUsage(usageTexts.outMissing)
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
      pictureFiles: openPictureFiles(config.dataDir, openSharedSite(config)?.files),
      progress: createProgress(contentTexts.exporting),
    })
    console.log(contentTexts.exported(paths.length, out))
  } finally {
    await db.destroy()
  }
})
