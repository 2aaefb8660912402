import type { Db } from '../db/schema.ts'
import { isSlug, SLUG_RULE } from '../lib/slug.ts'
import { type ContentType, listContentTypes } from './content-type-store.ts'
import { findPublishedEntries } from './entry-lookup-store.ts'
import { LOCATION_SERVICES } from './field-meaning.ts'
import { composeRoute, countPlaceholders, isReservedPath, matchRoute } from './route-pattern.ts'

/** How many parts the slugs of a type's entries have. */
export function partsOfSlug({ routePattern }: Pick<ContentType, 'routePattern'>): number {
  return routePattern === null ? 1 : countPlaceholders(routePattern)
}

/** What is wrong with the form of a slug, or undefined. */
export function checkSlug(type: ContentType, slug: string): string | undefined {
  const parts = slug.split('/')
  const expected = partsOfSlug(type)
  if (slug === '') return 'A short name for the address is needed, such as "ac-repair".'
  if (parts.length !== expected)
    return expected === 1
      ? `Leave out the slashes: use ${SLUG_RULE}.`
      : `Write ${expected} parts with slashes between them, as in ${type.routePattern}.`
  return parts.every(isSlug) ? undefined : `Use ${SLUG_RULE}.`
}

/**
 * What is wrong with the address that a published entry of this slug would have: it belongs to the program or to an
 * entry of another type. A slug that is taken within its own type is another question.
 */
export async function checkAddress(db: Db, type: ContentType, slug: string): Promise<string | undefined> {
  const path = type.isRoutable && type.routePattern ? composeRoute(type.routePattern, slug) : undefined
  if (!path || type.slug === LOCATION_SERVICES) return undefined
  if (isReservedPath(path)) return `The address ${path} belongs to the program. Choose another.`
  const others = (await listContentTypes(db)).flatMap((other) => {
    const match = other.isRoutable && other.routePattern ? matchRoute(other.routePattern, path) : undefined
    return other.id !== type.id && match !== undefined ? [{ typeId: other.id, slug: match }] : []
  })
  const [owner] = await findPublishedEntries(db, others)
  return owner && `The address ${path} is that of "${owner.title || owner.slug}" already. Choose another.`
}
