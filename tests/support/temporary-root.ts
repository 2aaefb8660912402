import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isSoak } from './soak.ts'

const DISK = tmpdir()
const MEMORY = '/dev/shm'
// Containers have 64 MB there unless they are given more.
const ENOUGH_BYTES = 2 ** 31

/**
 * The folder that the folders of tests are in. In memory a test ends in half the time: most of it goes into syncing
 * files to the disk. At full length the promises are kept on a disk.
 */
export const TEMPORARY_ROOT = !isSoak && hasRoom(MEMORY) ? MEMORY : DISK

/** The folder that is on the other disk, for files that cannot be linked. */
export const OTHER_ROOT = TEMPORARY_ROOT === MEMORY ? DISK : MEMORY

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}
