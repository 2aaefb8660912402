import type { BackupSource } from '../src/backups/make-backup.ts'
import type { PostgresSource } from '../src/backups/make-postgres-backup.ts'
import type { Config } from '../src/config.ts'
import { openFileStore } from '../src/files/open-file-store.ts'
import { newestKey } from '../src/lib/key-ring.ts'
import { openPictureFiles } from '../src/pictures/picture-files.ts'
import { openSharedSite } from '../src/publish/shared/shared-site.ts'

/** Everything that a backup of this site contains and a restore brings back. */
export function backupSourceOf(config: Config): BackupSource | PostgresSource {
  const { databaseUrl, dataDir, filePlace, secretKeys } = config
  const source = {
    files: openFileStore(filePlace, { dataDir }),
    pictureFiles: openPictureFiles(dataDir, openSharedSite(config)?.files),
    secretKey: newestKey(secretKeys),
  }
  return databaseUrl.startsWith('file:')
    ? { ...source, databasePath: databaseUrl.slice('file:'.length) }
    : { ...source, databaseUrl, dataDir }
}
