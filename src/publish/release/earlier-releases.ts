import { findCurrentRelease, listReleases, type Release } from './release.ts'
import { isWholeFolder } from './whole-folder.ts'

/** What there is of releases when the next is made. */
export interface EarlierReleases {
  /** The current release; undefined before the first, and when files beside its site were cut short. */
  before: Release | undefined
  /** That one, which nothing can be compared with, and then the others, newest first; empty unless it is so. */
  remade: readonly Release[]
}

export async function findEarlierReleases(dataDir: string): Promise<EarlierReleases> {
  const release = findCurrentRelease(dataDir)
  if (!release || (await isWholeFolder(release.dir))) return { before: release, remade: [] }
  const others = (await listReleases(dataDir)).filter(({ id }) => id !== release.id)
  return { before: undefined, remade: [release, ...others] }
}
