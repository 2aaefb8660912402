import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { isSlug } from '../../lib/slug.ts'
import type { AdminFault, AdminProblem } from '../../messages/admin/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { findPublishedEntries } from '../entry-lookup-store.ts'
import { type ContentType, listContentTypes } from '../types/content-type-store.ts'
import { composeRoute, countPlaceholders, isReservedPath, matchRoute } from '../types/route-pattern.ts'

/** Returns the number of parts in the slugs of a type's entries. */
export function partsOfSlug({ routePattern }: Pick<ContentType, 'routePattern'>): number {
  return routePattern === null ? 1 : countPlaceholders(routePattern)
}

/** Returns the problem with the format of a slug, or undefined. */
export function checkSlug(type: Pick<ContentType, 'routePattern'>, slug: string): AdminFault | undefined {
  const parts = slug.split('/')
  const expected = partsOfSlug(type)
  if (slug === '' && expected === 1) return { code: 'entry_slug_missing' }
  if (parts.length !== expected)
    return expected === 1
      ? { code: 'entry_slug_slashes' }
      : { code: 'entry_slug_parts', params: { parts: expected, pattern: type.routePattern ?? '' } }
  return parts.every(isSlug) ? undefined : { code: 'entry_slug_invalid' }
}

/**
 * Returns the problem with the first invalid address of published entries with these slugs: it belongs to the
 * program or to an entry of another type. Doesn't check whether a slug is taken within its own type.
 */
export async function findAddressProblem(
  db: Db,
  { id, isRoutable, routePattern }: ContentType,
  slugs: readonly string[],
): Promise<AdminFault | undefined> {
  if (!isRoutable || !routePattern) return undefined
  const paths = slugs.flatMap((slug) => composeRoute(routePattern, slug) ?? [])
  const reserved = paths.find(isReservedPath)
  if (reserved) return { code: 'page_reserved', params: { path: reserved } }
  const others = (await listContentTypes(db)).filter((other) => other.isRoutable && other.id !== id)
  const claims = paths.flatMap((path) =>
    others.flatMap((other) => {
      const slug = matchRoute(other.routePattern ?? '', path)
      return slug === undefined ? [] : [{ path, typeId: other.id, slug }]
    }),
  )
  const [owner] = await findPublishedEntries(db, claims)
  const claim = claims.find(({ typeId, slug }) => typeId === owner?.typeId && slug === owner.slug)
  return (
    owner && {
      code: 'page_taken',
      params: { path: claim?.path ?? '', owner: owner.title || owner.slug },
    }
  )
}

/** Thrown to roll back a transaction that would put two pages at one address. */
class TakenAddress extends Error {
  readonly fault: AdminFault

  constructor(fault: AdminFault) {
    super(`An address is taken: ${fault.code}`)
    this.fault = fault
  }
}

/** Throws if entries of a type can't have these slugs because another page has the address. */
export async function refuseTakenAddresses(
  db: Db,
  type: ContentType,
  slugs: readonly string[],
): Promise<void> {
  const fault = await findAddressProblem(db, type, slugs)
  if (fault) throw new TakenAddress(fault)
}

/** Runs `work` in a transaction. If an address turns out to be taken, that is a problem of the whole form. */
export async function unlessTaken<Value>(
  db: Kysely<Schema>,
  work: (trx: Db) => Promise<Outcome<Value, AdminProblem>>,
): Promise<Outcome<Value, AdminProblem>> {
  try {
    return await changeContent(db, work)
  } catch (error) {
    if (error instanceof TakenAddress) return { kind: 'invalid', problems: [{ path: [], ...error.fault }] }
    throw error
  }
}
