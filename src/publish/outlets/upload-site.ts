import { inParallel } from '../../lib/background/in-parallel.ts'
import type { ObjectChanges } from './compare-objects.ts'
import { LEFT, type Manifest, UNFINISHED } from './manifest.ts'
import type { PublicBucket } from './public-bucket.ts'
import { phaseOf, type SiteObject } from './site-objects.ts'

const AT_ONCE = 8
// After a kill, at most this many uploads are repeated.
const WRITTEN_BETWEEN_NOTES = 200

interface Upload {
  changes: ObjectChanges
  before: ReadonlyMap<string, string>
  objects: ReadonlyMap<string, SiteObject>
  manifest: Manifest
  /** Undefined if nothing is uploaded and changes are only recorded. */
  bucket: PublicBucket | undefined
  siteDir: string
  onStep(done: number): Promise<void>
  /** Called with the keys written or removed since the last call, before the manifest records them as done. */
  onNoted(keys: readonly string[]): Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Uploads the changes and removes old objects only after new ones are there: assets, pages, lists of pages, then
 * removals. The manifest records what isn't finished, so that a killed upload can continue. Returns the hashes of
 * the bucket's contents afterwards.
 */
export async function uploadSite(upload: Upload): Promise<Map<string, string>> {
  const { changes, before, objects, manifest, bucket, siteDir, signal } = upload
  const hashes = new Map(before)
  for (const key of [...changes.written, ...changes.removed]) hashes.set(key, UNFINISHED)
  for (const key of changes.left) hashes.set(key, LEFT)
  await manifest.write(hashes)
  let done = 0
  const unnoted: string[] = []
  const step = async (key: string) => {
    done += 1
    unnoted.push(key)
    if (done % WRITTEN_BETWEEN_NOTES === 0) {
      const soFar = new Map(hashes)
      await upload.onNoted(unnoted.splice(0))
      await manifest.write(soFar)
    }
    await upload.onStep(done)
  }
  const put = async (key: string) => {
    const object = objects.get(key) as SiteObject
    await bucket?.put(key, object, siteDir)
    hashes.set(key, object.hash)
    await step(key)
  }
  const remove = async (key: string) => {
    await bucket?.remove(key)
    hashes.delete(key)
    await step(key)
  }
  const phases = Map.groupBy(changes.written, (key) => phaseOf(key, objects.get(key) as SiteObject))
  for (const phase of [0, 1, 2] as const)
    await inParallel(phases.get(phase) ?? [], put, { atOnce: AT_ONCE, signal })
  await inParallel(changes.removed, remove, { atOnce: AT_ONCE, signal })
  return hashes
}
