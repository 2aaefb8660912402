import type { Db } from '../../db/schema.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { Progress } from '../../lib/progress.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { PictureFiles } from '../../pictures/picture-files.ts'
import type { Preferring } from './plan-sync.ts'

export interface SyncOptions extends Preferring {
  contentDir: string
  pictureFiles: PictureFiles
  /** Environment for `${NAME}` in form files. */
  environment: Environment
  secretBox: SecretBox
  now: Date
  /** Identifies this server, if others of the same site may have newer files. */
  server?: string | undefined
  /** Reports what would change, and changes nothing. */
  dryRun?: boolean | undefined
  /** Called in a dry run with the database as it would be, before it is rolled back. */
  inspect?: ((db: Db) => Promise<void>) | undefined
  /** The two sides of `only` that a person decided about (see `versionOf`); other versions aren't resolved. */
  basedOn?: string | undefined
  progress?: Progress | undefined
}
