import type { Db } from '../db/schema.ts'
import { type ContentType, listContentTypes } from './content-type-store.ts'
import { streamEntries } from './entry-store.ts'
import { composeRoute, isReservedPath } from './route-pattern.ts'

/** A published entry whose page cannot be where its slug puts it. */
export interface AddressProblem {
  typeSlug: string
  slug: string
  /** What is wrong, what was expected. */
  message: string
}

/**
 * Entries whose address is taken by the program or by another entry. Location services are left out: their address is
 * their service and term, which are unique already (§2.9 rule 3).
 */
export async function findAddressProblems(db: Db): Promise<AddressProblem[]> {
  const owners = new Map<string, string>()
  const types = (await listContentTypes(db)).filter(
    ({ isRoutable, slug }) => isRoutable && slug !== 'location_services',
  )
  const problems: AddressProblem[] = []
  for (const type of types) {
    for await (const batch of streamEntries(db, type.id, { status: 'published' })) {
      problems.push(...batch.flatMap(({ slug }) => problemOf(type, slug, owners)))
    }
  }
  return problems
}

function problemOf(type: ContentType, slug: string, owners: Map<string, string>): AddressProblem[] {
  const message = describeProblem(type, slug, owners)
  return message === undefined ? [] : [{ typeSlug: type.slug, slug, message }]
}

function describeProblem(type: ContentType, slug: string, owners: Map<string, string>): string | undefined {
  const path = composeRoute(type.routePattern ?? '', slug)
  if (!path) return undefined
  if (isReservedPath(path)) {
    return `the address ${path} belongs to the program, expected another slug`
  }
  const owner = owners.get(path)
  owners.set(path, `${type.slug}/${slug}`)
  return owner ? `the address ${path} is that of ${owner} already, expected another slug` : undefined
}
