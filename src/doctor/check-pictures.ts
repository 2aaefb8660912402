import type { Config } from '../config.ts'
import { openPictureFiles } from '../pictures/picture-files.ts'
import { listPictures } from '../pictures/picture-store.ts'
import { findMissingFiles } from '../pictures/sweep-pictures.ts'
import { openSharedSite } from '../publish/shared/shared-site.ts'
import { type Finding, failed, ok } from './finding.ts'
import { withDatabase } from './with-database.ts'

const LISTED = 5

/** Returns whether the picture store has the file of every picture, and of what each was before. */
export function checkPictures(config: Config): Promise<Finding> {
  const name = 'pictures'
  return withDatabase(name, config, async (db) => {
    const pictures = await listPictures(db)
    const missing = new Set(
      await findMissingFiles(db, openPictureFiles(config.dataDir, openSharedSite(config)?.files)),
    )
    const names = [...pictures.values()].filter(({ sha256 }) => missing.has(sha256)).map((one) => one.name)
    if (missing.size === 0) return ok(name, 'pictures', pictures.size)
    return failed(name, 'picturesMissing', missing.size, names.slice(0, LISTED).join(', '))
  })
}
