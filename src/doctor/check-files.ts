import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { type Finding, failed, ok } from './finding.ts'

/** Returns whether visitors' files can be written, read back, and removed where `FILE_STORE` says. */
export async function checkFiles({ filePlace, dataDir }: Config): Promise<Finding> {
  const name = 'files'
  // Its own check looks at the data folder, which may not exist yet.
  if (filePlace.kind === 'disk' && filePlace.folder === dataDir) return ok(name, 'filesHere', dataDir)
  const place = filePlace.kind === 'disk' ? filePlace.folder : filePlace.name
  const files = openFileStore(filePlace, { dataDir })
  const key = `doctor-${randomUUID()}`
  try {
    await files.write(key, new Blob([key]))
    const opened = await files.open(key)
    const isSame = opened !== undefined && (await text(opened.stream)) === key
    return isSame ? ok(name, 'filesKept', place) : failed(name, 'filesLost', place)
  } finally {
    await files.remove(key).catch(() => {})
  }
}
