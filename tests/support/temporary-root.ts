import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isSoak } from './soak.ts'

const DISK = tmpdir()
const MEMORY = '/dev/shm'
// Containers have only 64 MB there by default.
const ENOUGH_BYTES = 2 ** 31

/**
 * The parent of all test folders. In memory, tests take half the time, most of which goes into syncing files to
 * disk. At full length, promises are tested on a disk.
 */
export const TEMPORARY_ROOT = !isSoak && hasRoom(MEMORY) ? MEMORY : DISK

/** A folder on another file system, for files that can't be linked. */
export const OTHER_ROOT = TEMPORARY_ROOT === MEMORY ? DISK : MEMORY

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}
