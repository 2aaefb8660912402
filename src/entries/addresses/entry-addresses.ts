import type { Db } from '../../db/schema.ts'
import type { Fault } from '../../messages/files/rules/rule.ts'
import { findEntry, streamEntries } from '../entry-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { type ContentType, listContentTypes } from '../types/content-type-store.ts'
import { composeRoute, isReservedPath, matchRoute } from '../types/route-pattern.ts'

/** A published entry whose page can't have the address of its slug. */
export interface AddressProblem {
  typeSlug: string
  slug: string
  fault: Fault
  /** The entry that already has the address, if any. */
  owner?: Pick<AddressProblem, 'typeSlug' | 'slug'>
}

/** Owners of addresses, by path. */
type Owners = Map<string, Pick<AddressProblem, 'typeSlug' | 'slug'>>

/**
 * Finds entries whose address is taken by the program or another entry. For location services, only another type can
 * take it, because their service and place are unique (§2.9 rule 3).
 */
export async function findAddressProblems(db: Db): Promise<AddressProblem[]> {
  const owners: Owners = new Map()
  const types = (await listContentTypes(db)).filter(({ isRoutable }) => isRoutable)
  const problems: AddressProblem[] = []
  for (const type of types.filter(({ slug }) => !rulesOf(slug).inherits)) {
    for await (const batch of streamEntries(db, type.id, { status: 'published' })) {
      problems.push(...batch.flatMap(({ slug }) => problemOf(type, slug, owners)))
    }
  }
  const pairs = types.find(({ slug }) => rulesOf(slug).inherits)
  return pairs ? [...problems, ...(await problemsWithPairs(db, pairs, owners))] : problems
}

async function problemsWithPairs(db: Db, pairs: ContentType, owners: Owners): Promise<AddressProblem[]> {
  const claims = [...owners].flatMap(([path, owner]) => {
    const pair = matchRoute(pairs.routePattern ?? '', path)
    return pair === undefined ? [] : [{ path, owner, pair }]
  })
  const problems: AddressProblem[] = []
  for (const { path, owner, pair } of claims) {
    const entry = await findEntry(db, pairs.id, pair)
    const place = { typeSlug: pairs.slug, slug: pair }
    if (entry?.status === 'published') problems.push({ ...owner, fault: taken(path, place), owner: place })
  }
  return problems
}

function problemOf(type: ContentType, slug: string, owners: Owners): AddressProblem[] {
  const path = composeRoute(type.routePattern ?? '', slug)
  if (!path) return []
  const entry = { typeSlug: type.slug, slug }
  if (isReservedPath(path)) return [{ ...entry, fault: { code: 'address_reserved', params: { path } } }]
  const owner = owners.get(path)
  owners.set(path, entry)
  return owner ? [{ ...entry, fault: taken(path, owner), owner }] : []
}

function taken(path: string, { typeSlug, slug }: Pick<AddressProblem, 'typeSlug' | 'slug'>): Fault {
  return { code: 'address_shared', params: { path, owner: `${typeSlug}/${slug}` } }
}
