import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { isMissing } from '../lib/is-missing.ts'
import { UPLOADS } from '../submissions/uploads/upload-folder.ts'
import { hasUploads } from '../submissions/uploads/upload-store.ts'
import { type Finding, failed, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'files'

/**
 * Returns whether visitors' files can be written, read back, and removed where `FILE_STORE` says. A folder that does
 * not exist is not created: its disk may not be mounted.
 */
export async function checkFiles(config: Config): Promise<Finding> {
  const { filePlace, dataDir } = config
  if (filePlace.kind === 'bucket') return probe(config, filePlace.name)
  const { folder } = filePlace
  if (isMissing(join(folder, UPLOADS))) {
    const recorded = await checkRecorded(config, folder)
    if (recorded.state !== 'ok') return recorded
  }
  // Its own check looks at the data folder, which may not exist yet.
  if (folder === dataDir) return ok(NAME, 'filesHere', dataDir)
  return isMissing(folder) ? warning(NAME, 'filesNotYet', folder) : probe(config, folder)
}

function checkRecorded(config: Config, folder: string): Promise<Finding> {
  return withDatabase(NAME, config, async (db) =>
    (await hasUploads(db)) ? failed(NAME, 'filesGone', join(folder, UPLOADS)) : ok(NAME, 'noneYet'),
  )
}

async function probe({ filePlace, dataDir }: Config, place: string): Promise<Finding> {
  const files = openFileStore(filePlace, { dataDir })
  const key = `doctor-${randomUUID()}`
  try {
    await files.write(key, new Blob([key]))
    const opened = await files.open(key)
    const isSame = opened !== undefined && (await text(opened.stream)) === key
    return isSame ? ok(NAME, 'filesKept', place) : failed(NAME, 'filesLost', place)
  } finally {
    await files.remove(key).catch(() => {})
  }
}
