import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release } from '../release/release.ts'
import { UNFINISHED } from './manifest.ts'
import type { OutletTargets } from './outlet-targets.ts'
import type { SiteObject } from './site-objects.ts'

/**
 * Compares the objects with the bucket's listing. Returns the expected hashes, with missing and damaged objects
 * marked as unfinished, and the number of foreign objects, which stay. The ETag of an object is its MD5 hash.
 */
export async function findDamaged(
  { bucket }: OutletTargets,
  objects: ReadonlyMap<string, SiteObject>,
  { release, known }: { release: Release; known: ReadonlyMap<string, string> | undefined },
): Promise<{ hashes: Map<string, string>; others: number } | undefined> {
  if (!bucket) return undefined
  const found = await bucket.list()
  const hashes = new Map<string, string>()
  for (const [key, object] of objects) {
    const there = found.get(key)
    if (there) hashes.set(key, isSame(await bytesOf(object, release), there) ? object.hash : UNFINISHED)
  }
  for (const [key, hash] of known ?? []) if (found.has(key) && !objects.has(key)) hashes.set(key, hash)
  return { hashes, others: [...found.keys()].filter((key) => !hashes.has(key)).length }
}

async function bytesOf({ file, text = '' }: SiteObject, { siteDir }: Release): Promise<Buffer> {
  return file === undefined ? Buffer.from(text) : readFile(join(siteDir, file))
}

function isSame(bytes: Buffer, { size, etag }: { size: number; etag: string }): boolean {
  if (bytes.length !== size) return false
  const md5 = etag.replaceAll('"', '').toLowerCase()
  return !/^[0-9a-f]{32}$/.test(md5) || createHash('md5').update(bytes).digest('hex') === md5
}
