import { findCurrentRelease } from '../release/release.ts'
import { compareObjects, type ObjectChanges } from './compare-objects.ts'
import { openManifest } from './manifest.ts'
import type { OutletTargets } from './outlet-targets.ts'
import { findDamaged } from './repair-objects.ts'
import { listSiteObjects } from './site-objects.ts'

const NOTHING: ObjectChanges = { written: [], left: [], removed: [] }

/** Finds what an upload would write and remove, without changing anything. */
export async function planOutlets(
  { dataDir, targets }: { dataDir: string; targets: OutletTargets },
  { isRepair }: { isRepair: boolean },
): Promise<ObjectChanges> {
  const release = findCurrentRelease(dataDir)
  if (!release) return NOTHING
  const known = await openManifest(targets.files, targets.place).read()
  const objects = await listSiteObjects(release, { dataDir, texts: targets.texts })
  const repair = isRepair ? await findDamaged(targets, objects, { release, known }) : undefined
  return compareObjects(repair?.hashes ?? known ?? new Map(), objects)
}
