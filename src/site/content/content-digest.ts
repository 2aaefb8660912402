import { createHash, type Hash } from 'node:crypto'
import type { SiteContent } from './site-content.ts'

/**
 * Changes when anything does that pages are made of, but for the entries that have a page each: what is known of those
 * alone (`ownTexts`) belongs to them, and the moment has done its work when the content is read.
 */
export function contentDigest({ ownTexts: _, shownAt: __, ...content }: SiteContent): string {
  const hash = createHash('sha256')
  digest(hash, content, new Map())
  return hash.digest('hex')
}

// Values that stand in several places, or in a circle as terms do, are read where they come first.
function digest(hash: Hash, value: unknown, seen: Map<object, number>): void {
  if (typeof value !== 'object' || value === null) {
    hash.update(`${typeof value} ${JSON.stringify(value)}\n`)
  } else if (seen.has(value)) {
    hash.update(`again ${seen.get(value)}\n`)
  } else {
    seen.set(value, seen.size)
    if (isPlainSet(value)) hash.update(`set ${[...value].join()}\n`)
    else digestParts(hash, value, seen)
  }
}

function isPlainSet(value: object): value is Set<unknown> {
  return value instanceof Set && [...value].every((one) => typeof one !== 'object')
}

function digestParts(hash: Hash, value: object, seen: Map<object, number>) {
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.entries(value)
  hash.update(`${parts.length} parts\n`)
  for (const part of parts) {
    const [key, inner] = Array.isArray(part) ? part : ['', part]
    hash.update(`${key} `)
    digest(hash, inner, seen)
  }
}
