import { readConfig } from '../src/config.ts'
import type { Preference } from '../src/content-files/syncing/plan-sync.ts'
import { syncContent } from '../src/content-files/syncing/sync-content.ts'
import { openSecretBox } from '../src/db/secret-key-store.ts'
import { createRingBox } from '../src/lib/key-ring.ts'
import { createProgress } from '../src/lib/progress.ts'
import { contentTexts } from '../src/messages/command-line/content.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { openSharedSite, serverOfContent } from '../src/publish/shared/shared-site.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withMigratedDatabase } from './open-database.ts'
import { reportSync } from './report-sync.ts'

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  prefer: { type: 'string' },
  only: { type: 'string' },
} as const

await runCommand(
  { usage: usages.contentSync, options: OPTIONS },
  async ({ prefer, only, 'dry-run': dryRun }) => {
    const preference = readPreference(prefer)
    if (only !== undefined && !preference) throw new WrongUsage(usageTexts.needs('--only', '--prefer'))
    const config = readConfig(undefined, { isReadOnly: dryRun })
    await withMigratedDatabase(config.databaseUrl, { isDryRun: dryRun }, async (db) => {
      const secretBox = dryRun ? createRingBox(config.secretKeys) : await openSecretBox(db, config.secretKeys)
      const result = await syncContent(db, {
        server: serverOfContent(config),
        contentDir: config.contentDir,
        pictureFiles: openPictureFiles(config.dataDir, openSharedSite(config)?.files),
        environment: process.env,
        secretBox,
        now: new Date(),
        dryRun,
        prefer: preference,
        only,
        progress: createProgress(contentTexts.syncing),
      })
      const { contentDir, dataDir } = config
      const left = await reportSync(db, result, { contentDir, dataDir, dryRun })
      if (left) throw new Error(left)
    })
  },
)

function readPreference(text: string | undefined): Preference | undefined {
  if (text === undefined || text === 'file' || text === 'database') return text
  throw new WrongUsage(usageTexts.preferInvalid(text))
}
