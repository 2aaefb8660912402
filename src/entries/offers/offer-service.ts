import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../../taxonomies/term-tree.ts'
import type { Saving } from '../../versions/version.ts'
import { refuseTakenAddresses } from '../addresses/check-address.ts'
import {
  deleteEntries,
  type Entry,
  insertEntries,
  listEntries,
  streamEntries,
  updateEntry,
} from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import { LOCATION_SERVICES, SERVICES } from '../types/builtin/slugs.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import { listOffersOfService } from './location-service-store.ts'
import { expandOfferedIn } from './offered-in.ts'
import {
  deleteRemovedPages,
  type GeneratedPage,
  insertRemovedPages,
  listRemovedPages,
} from './removed-page-store.ts'

const patterns = z.array(z.string()).catch([])

/** Returns the place patterns of a service (contract §3). */
export function offeredIn(service: Pick<Entry, 'data'>): string[] {
  return patterns.parse(service.data.offered_in ?? [])
}

/** Sets a service's place patterns; returns the changed service. */
export async function offerIn(db: Db, service: Entry, patterns: string[], saving: Saving): Promise<Entry> {
  const changed = { ...service, data: { ...service.data, offered_in: patterns } }
  if (offeredIn(service).join('\n') !== patterns.join('\n'))
    await recordAround(db, service, () => updateEntry(db, service.id, changed, saving), saving)
  return changed
}

interface Pair {
  service_entry_id: number
  location_term_id: number
}

/**
 * Makes the `location_services` entries match what services offer (contract §3, §2.9 rules 1–3): inserts a generated
 * entry for every missing pair and removes generated ones that no pattern includes any more. A customized entry
 * stays as long as its service and location exist. Call it inside a transaction.
 */
export async function reconcileLocationServices(
  db: Db,
  { now }: { now: string },
): Promise<{ added: number; removed: number }> {
  const [services, pairs, locations] = await Promise.all([
    findContentType(db, SERVICES),
    findContentType(db, LOCATION_SERVICES),
    findTaxonomy(db, 'locations'),
  ])
  if (!services || !pairs || !locations) return { added: 0, removed: 0 }
  const tree = buildTermTree(await listTerms(db, locations.id))
  const serviceEntries = await listEntries(db, services.id)
  const wanted = wantedPairs(serviceEntries, tree)
  const serviceIds = new Set(serviceEntries.map((service) => service.id))
  const removed: Replacing['removed'] = []
  for await (const batch of streamEntries(db, pairs.id)) {
    for (const entry of batch) {
      if (keeps(entry, { wanted, serviceIds, tree })) wanted.delete(entry.slug)
      else removed.push(toRemoved(entry))
    }
  }
  return replace(db, pairs, { removed, wanted, now })
}

interface Reconciling {
  pairs: ContentType
  tree: TermTree
  now: string
}

/** Does the same for one service. Refused if another page has the address. Call it inside a transaction. */
export async function reconcileService(
  db: Db,
  service: Entry,
  { pairs, tree, now }: Reconciling,
): Promise<{ added: number; removed: number }> {
  const wanted = wantedPairs([service], tree)
  const slugs = new Map([...wanted].map(([slug, pair]) => [pair.location_term_id, slug]))
  const removed: Replacing['removed'] = []
  // A selected publish sets the slugs of location pages aside for a while; their places stay.
  for (const offer of await listOffersOfService(db, service.id)) {
    const slug = slugs.get(offer.locationId)
    if (slug !== undefined) wanted.delete(slug)
    else if (offer.isGenerated) removed.push(offer)
  }
  await refuseTakenAddresses(db, pairs, [...wanted.keys()])
  return replace(db, pairs, { removed, wanted, now })
}

interface Replacing extends Pick<Reconciling, 'now'> {
  removed: (GeneratedPage & Pick<Entry, 'isGenerated'>)[]
  wanted: ReadonlyMap<string, Pair>
}

function toRemoved({ id, data, isGenerated }: Entry): Replacing['removed'][number] {
  const { service_entry_id, location_term_id } = data
  return { id, isGenerated, serviceId: Number(service_entry_id), locationId: Number(location_term_id) }
}

async function replace(db: Db, { id }: ContentType, { removed, wanted, now }: Replacing) {
  await deleteEntries(
    db,
    removed.map((page) => page.id),
  )
  await insertRemovedPages(
    db,
    removed.filter(({ isGenerated }) => isGenerated),
  )
  const added = [...wanted].map(([slug, pair]) => ({
    slug,
    title: '',
    status: 'published' as const,
    body: '',
    data: { ...pair },
    isGenerated: true,
  }))
  await insertEntries(db, id, added, { now, ids: await findFormerIds(db, wanted) })
  return { added: wanted.size, removed: removed.length }
}

// The IDs that these pages had before, by which the live site knows them.
async function findFormerIds(db: Db, wanted: ReadonlyMap<string, Pair>): Promise<Map<string, number>> {
  const serviceIds = new Set([...wanted.values()].map((pair) => pair.service_entry_id))
  const known = await listRemovedPages(db, [...serviceIds])
  const former = new Map(known.map((page) => [`${page.serviceId}/${page.locationId}`, page.id]))
  const back = [...wanted].flatMap(([slug, { service_entry_id: serviceId, location_term_id }]) => {
    const id = former.get(`${serviceId}/${location_term_id}`)
    return id === undefined ? [] : [{ slug, serviceId, id }]
  })
  for (const [serviceId, pages] of Map.groupBy(back, (page) => page.serviceId))
    await deleteRemovedPages(
      db,
      serviceId,
      pages.map(({ id }) => id),
    )
  return new Map(back.map(({ slug, id }) => [slug, id]))
}

function wantedPairs(services: readonly Entry[], tree: TermTree): Map<string, Pair> {
  const wanted = new Map<string, Pair>()
  for (const service of services) {
    const { terms } = expandOfferedIn(offeredIn(service), tree)
    for (const term of terms) {
      wanted.set(`${service.slug}/${term.slug}`, { service_entry_id: service.id, location_term_id: term.id })
    }
  }
  return wanted
}

interface Known {
  wanted: ReadonlyMap<string, Pair>
  serviceIds: ReadonlySet<number>
  tree: TermTree
}

function keeps(entry: Entry, { wanted, serviceIds, tree }: Known): boolean {
  const { service_entry_id, location_term_id } = entry.data
  if (!entry.isGenerated) {
    return serviceIds.has(Number(service_entry_id)) && tree.byId.has(Number(location_term_id))
  }
  const pair = wanted.get(entry.slug)
  return pair?.service_entry_id === service_entry_id && pair?.location_term_id === location_term_id
}
