import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release } from '../release/release.ts'
import { UNFINISHED } from './manifest.ts'
import type { OutletTargets } from './outlet-targets.ts'
import type { SiteObject } from './site-objects.ts'

/**
 * Compares the objects with what the bucket lists: returns the hashes that it has, with those of missing and damaged objects
 * unfinished, and counts objects of others, which stay. Services give the MD5 hash of an object as its ETag.
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
