import { resolve } from 'node:path'
import { makeBackup } from '../src/backups/make-backup.ts'
import { readConfig } from '../src/config.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { newestKey } from '../src/lib/key-ring.ts'
import { backupTexts } from '../src/messages/command-line/data.ts'
import { usages } from '../src/messages/command-line/usage.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { runCommand } from './command-line.ts'
import { sqlitePath } from './open-database.ts'

await runCommand({ usage: usages.backup, options: {}, positionals: 1 }, async (_, [file = '']) => {
  // A key made here would be none of the database's.
  const { databaseUrl, dataDir, filePlace, secretKeys } = readConfig(undefined, { isReadOnly: true })
  const source = {
    databasePath: sqlitePath(databaseUrl),
    files: openFileStore(filePlace, { dataDir }),
    pictureFiles: openPictureFiles(dataDir),
    secretKey: newestKey(secretKeys),
  }
  const startedAt = performance.now()
  const report = await makeBackup(source, { file: resolve(file), now: new Date() })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(backupTexts.made({ ...report, seconds }))
})
