import { Failure } from '../../lib/messages.ts'
import { outletFailures } from '../../messages/server/outlets.ts'
import { LEFT, NAMED, UNFINISHED } from './manifest.ts'
import { phaseOf, type SiteObject } from './site-objects.ts'

/** Keys to write, in order, to keep until the next upload, and to remove. */
export interface ObjectChanges {
  written: string[]
  left: string[]
  removed: string[]
}

// A page open in a browser may still load the assets of its release.
const HASHED = /^_astro\//
const FREE_REMOVALS = 50
const MOST_REMOVED_SHARE = 0.25

/** Compares a bucket's contents with what it should contain. Hashed assets stay for one more upload. */
export function compareObjects(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, SiteObject>,
): ObjectChanges {
  const written = [...after].filter(([key, { hash }]) => !isSame(before.get(key), hash))
  const inOrder = written.toSorted(([a, one], [b, other]) => phaseOf(a, one) - phaseOf(b, other))
  const gone = [...before].filter(([key]) => !after.has(key))
  const isLeft = ([key, hash]: [string, string]) => HASHED.test(key) && hash !== LEFT
  return {
    written: inOrder.map(([key]) => key),
    left: gone.filter(isLeft).map(([key]) => key),
    removed: gone.filter((one) => !isLeft(one)).map(([key]) => key),
  }
}

// Files of a folder have a hash even if their name contains one.
function isSame(before: string | undefined, after: string): boolean {
  if (before === undefined || before === UNFINISHED || before === LEFT) return false
  return before === after || before === NAMED || after === NAMED
}

/** Throws if an upload would remove a large part of the site, which suggests a mistake. */
export function refuseManyRemovals({ removed }: ObjectChanges, before: ReadonlyMap<string, string>): void {
  const pages = removed.filter((key) => !HASHED.test(key)).length
  if (pages > FREE_REMOVALS && pages > before.size * MOST_REMOVED_SHARE)
    throw new Failure(outletFailures, 'manyRemovals', pages, before.size)
}
