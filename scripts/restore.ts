import { join, resolve } from 'node:path'
import { restoreBackup } from '../src/backups/restore-backup.ts'
import { readConfig } from '../src/config.ts'
import { findKeyProblem } from '../src/db/secret-key-store.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { newestKey } from '../src/lib/key-ring.ts'
import { backupTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { bringBackKey } from '../src/secret-keys/bring-back-key.ts'
import { readFormerKeys } from '../src/secret-keys/key-file.ts'
import { runCommand } from './command-line.ts'
import { sqlitePath, withDatabase } from './open-database.ts'

await runCommand(
  {
    usage: usages.restore,
    options: { 'any-key': { type: 'boolean' } },
    positionals: 1,
  },
  async (options, [file = '']) => {
    const config = readConfig()
    const { databaseUrl, dataDir, filePlace, secretKeys } = config
    const secretKey = newestKey(secretKeys)
    const target = {
      databasePath: sqlitePath(databaseUrl),
      files: openFileStore(filePlace, { dataDir }),
      pictureFiles: openPictureFiles(dataDir),
      secretKey,
    }
    const report = await restoreBackup(target, {
      file: resolve(file),
      keepDir: join(dataDir, 'backups'),
      now: new Date(),
      formerKeys: [...secretKeys(), ...readFormerKeys(dataDir)],
      anyKey: options['any-key'] === true,
    })
    console.log(backupTexts.restored(report.madeAt))
    if (report.keptAt) console.log(backupTexts.kept(report.keptAt))
    await withDatabase(databaseUrl, async (db) => {
      const broughtBack = await bringBackKey(db, config)
      if (broughtBack) console.log(broughtBack)
      const problem = await findKeyProblem(db, secretKeys)
      if (problem) console.log(backupTexts.beforeStart(problem))
    })
  },
)
