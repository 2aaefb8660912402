import { openBucketFiles } from './bucket-files.ts'
import { openDiskFiles } from './disk-files.ts'
import type { FilePlace, FileStore } from './file-store.ts'

/** The files of a place. `dataDir` is for files under way to a bucket. */
export function openFileStore(place: FilePlace, { dataDir }: { dataDir: string }): FileStore {
  return place.kind === 'disk' ? openDiskFiles(place.folder) : openBucketFiles(place, { dataDir })
}
