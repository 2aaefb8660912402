import type { Db } from '../db/schema.ts'
import { ancestorsOf, type TermNode } from '../taxonomies/term-tree.ts'
import { findContentType } from './content-type-store.ts'
import { type EntryStatus, listEntries } from './entry-store.ts'
import { listOfferGroups, listOffersIn, type Offer, type OfferGroup } from './location-service-store.ts'
import { loadPlaces } from './resolve-references.ts'

export const ROWS_PER_PAGE = 60
export const SERVICES_PER_PAGE = 20

/** How a service stands in a place: with the service's texts, with its own, hidden, or not at all. */
export type OfferState = 'offered' | 'overridden' | 'draft' | 'missing'

export type StateCounts = Record<OfferState, number>

export interface CoverageService {
  id: number
  slug: string
  title: string
  status: EntryStatus
  /** Over all places. */
  counts: StateCounts
}

/** Of one service in one place, or in a branch. */
export interface CoverageCell {
  serviceId: number
  /** In the place itself. */
  state: OfferState
  entryId: number | undefined
  /** In the place and all below it. */
  counts: StateCounts
}

export interface CoverageRow {
  place: TermNode
  /** Places, with the row's own one. */
  size: number
  /** Whether the row stands for all below the place too; the first row of a branch does not. */
  isBranch: boolean
  cells: CoverageCell[]
}

export interface Coverage {
  /** From the root to the branch that is shown; empty at the top. */
  trail: TermNode[]
  services: CoverageService[]
  /** Of all services, not only of those that are shown. */
  allServices: { id: number; title: string }[]
  rows: CoverageRow[]
  counts: StateCounts
  places: number
  pages: { rows: number; services: number }
}

interface CoverageQuestion {
  /** Slug of the place whose branch is shown; the top without it. */
  branch?: string | undefined
  rowPage?: number
  servicePage?: number
}

/**
 * The matrix of services and places (§2.9), folded: a row for a place and one for each place directly below, which
 * counts all that is under it. Undefined when there is no such place.
 */
export async function loadCoverage(
  db: Db,
  { branch, rowPage = 1, servicePage = 1 }: CoverageQuestion,
): Promise<Coverage | undefined> {
  const tree = await loadPlaces(db)
  const top = branch === undefined ? onlyOf(tree.roots) : tree.bySlug.get(branch)
  if (branch !== undefined && !top) return undefined
  const type = await findContentType(db, 'services')
  const all = type ? await listEntries(db, type.id) : []
  const states = statesByService(await listOfferGroups(db))
  const below = top ? top.children : tree.roots
  const shownRows = pageOf([...(top ? [top] : []), ...below], rowPage, ROWS_PER_PAGE)
  const shownServices = pageOf(all, servicePage, SERVICES_PER_PAGE)
  const entryIds = await entryIdsOf(db, shownServices, shownRows)
  const services = shownServices.map(({ id, slug, title, status }) => ({
    ...{ id, slug, title, status },
    counts: countAll(states.get(id), tree.byId.size),
  }))
  const rows = shownRows.map((place) => {
    const places = place === top ? [place.id] : idsOfBranch(place)
    const cells = services.map(({ id }) => cellOf(id, place, places, states.get(id), entryIds))
    return { place, size: places.length, isBranch: places.length > 1, cells }
  })
  return {
    trail: top ? [...ancestorsOf(top), top] : [],
    services,
    allServices: all.map(({ id, title }) => ({ id, title })),
    rows,
    counts: all.reduce((sum, { id }) => add(sum, countAll(states.get(id), tree.byId.size)), noCounts()),
    places: tree.byId.size,
    pages: {
      rows: Math.ceil((below.length + (top ? 1 : 0)) / ROWS_PER_PAGE),
      services: Math.ceil(all.length / SERVICES_PER_PAGE),
    },
  }
}

type States = ReadonlyMap<number, OfferState>

function statesByService(groups: readonly OfferGroup[]): Map<number, Map<number, OfferState>> {
  const byService = new Map<number, Map<number, OfferState>>()
  for (const { serviceId, locationIds, ...group } of groups) {
    const states = byService.get(serviceId) ?? new Map<number, OfferState>()
    const state = stateOf(group)
    for (const id of locationIds) states.set(id, state)
    byService.set(serviceId, states)
  }
  return byService
}

function stateOf({ status, isGenerated }: Pick<Offer, 'status' | 'isGenerated'>): OfferState {
  if (status === 'draft') return 'draft'
  return isGenerated ? 'offered' : 'overridden'
}

function cellOf(
  serviceId: number,
  place: TermNode,
  places: readonly number[],
  states: States | undefined,
  entryIds: ReadonlyMap<string, number>,
): CoverageCell {
  const counts = noCounts()
  for (const id of places) counts[states?.get(id) ?? 'missing'] += 1
  const state = states?.get(place.id) ?? 'missing'
  return { serviceId, state, entryId: entryIds.get(`${serviceId}/${place.id}`), counts }
}

async function entryIdsOf(
  db: Db,
  services: readonly { id: number }[],
  places: readonly TermNode[],
): Promise<Map<string, number>> {
  const offers = await listOffersIn(db, {
    serviceIds: services.map(({ id }) => id),
    locationIds: places.map(({ id }) => id),
  })
  return new Map(offers.map(({ id, serviceId, locationId }) => [`${serviceId}/${locationId}`, id]))
}

function idsOfBranch(place: TermNode): number[] {
  const ids = [place.id]
  for (const child of place.children) ids.push(...idsOfBranch(child))
  return ids
}

function countAll(states: States | undefined, places: number): StateCounts {
  const counts = noCounts()
  for (const state of states?.values() ?? []) counts[state] += 1
  return { ...counts, missing: places - (states?.size ?? 0) }
}

function noCounts(): StateCounts {
  return { offered: 0, overridden: 0, draft: 0, missing: 0 }
}

function add(a: StateCounts, b: StateCounts): StateCounts {
  return {
    offered: a.offered + b.offered,
    overridden: a.overridden + b.overridden,
    draft: a.draft + b.draft,
    missing: a.missing + b.missing,
  }
}

function onlyOf(roots: readonly TermNode[]): TermNode | undefined {
  return roots.length === 1 ? roots[0] : undefined
}

function pageOf<T>(items: readonly T[], page: number, size: number): T[] {
  return items.slice((page - 1) * size, page * size)
}
