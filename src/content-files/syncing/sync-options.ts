import type { Db } from '../../db/schema.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { Progress } from '../../lib/progress.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { PictureFiles } from '../../pictures/picture-files.ts'
import type { Preferring } from './plan-sync.ts'

export interface SyncOptions extends Preferring {
  contentDir: string
  pictureFiles: PictureFiles
  /** Environment that `${NAME}` in form files refers to. */
  environment: Environment
  secretBox: SecretBox
  now: Date
  /** Names this server, where others of the same site may have newer files. */
  server?: string | undefined
  /** Says what would change, and changes nothing. */
  dryRun?: boolean | undefined
  /** Called in a dry run with the database as it would be, before all is taken back. */
  inspect?: ((db: Db) => Promise<void>) | undefined
  /** The two sides of `only` that a person decided about (see `versionOf`): others are not settled. */
  basedOn?: string | undefined
  progress?: Progress | undefined
}
