import { findCurrentRelease, type Release } from './release.ts'
import { isRecorded, isWholeFolder } from './whole-folder.ts'

/** The current release, unless files beside its site were cut short: then nothing can be compared with it. */
export async function findComparableRelease(dataDir: string): Promise<Release | undefined> {
  const release = findCurrentRelease(dataDir)
  if (!release) return undefined
  // A program from before wrote nothing down.
  return !isRecorded(release.dir) || (await isWholeFolder(release.dir)) ? release : undefined
}
