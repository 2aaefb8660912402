import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { isSlug, SLUG_RULE } from '../../lib/slug.ts'
import { findPublishedEntries } from '../entry-lookup-store.ts'
import { type ContentType, listContentTypes } from '../types/content-type-store.ts'
import { composeRoute, countPlaceholders, isReservedPath, matchRoute } from '../types/route-pattern.ts'

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
  const problem = await findAddressProblem(db, type, [slug])
  return problem && `${problem} Choose another.`
}

/** What is wrong with the first address that is, of those that published entries of these slugs would have. */
export async function findAddressProblem(
  db: Db,
  { id, isRoutable, routePattern }: ContentType,
  slugs: readonly string[],
): Promise<string | undefined> {
  if (!isRoutable || !routePattern) return undefined
  const paths = slugs.flatMap((slug) => composeRoute(routePattern, slug) ?? [])
  const reserved = paths.find(isReservedPath)
  if (reserved) return `The address ${reserved} belongs to the program.`
  const others = (await listContentTypes(db)).filter((other) => other.isRoutable && other.id !== id)
  const claims = paths.flatMap((path) =>
    others.flatMap((other) => {
      const slug = matchRoute(other.routePattern ?? '', path)
      return slug === undefined ? [] : [{ path, typeId: other.id, slug }]
    }),
  )
  const [owner] = await findPublishedEntries(db, claims)
  const claim = claims.find(({ typeId, slug }) => typeId === owner?.typeId && slug === owner.slug)
  return owner && `The address ${claim?.path} is that of "${owner.title || owner.slug}" already.`
}

/** Takes back the transaction that would put a page where another one is. */
class TakenAddress extends Error {}

/** Refuses that entries of a type have these slugs, when another page is where theirs would be. */
export async function refuseTakenAddresses(
  db: Db,
  type: ContentType,
  slugs: readonly string[],
): Promise<void> {
  const problem = await findAddressProblem(db, type, slugs)
  if (problem) throw new TakenAddress(`${problem} Give one of the two another short name first.`)
}

/** Does `work` in a transaction, and gives what `refuse` makes of the reason when an address turns out to be taken. */
export async function unlessTaken<Outcome>(
  db: Kysely<Schema>,
  work: (trx: Db) => Promise<Outcome>,
  refuse: (reason: string) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (error instanceof TakenAddress) return refuse(error.message)
    throw error
  }
}
