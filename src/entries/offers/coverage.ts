import type { Db } from '../../db/schema.ts'
import { findTermsByName } from '../../taxonomies/find-terms.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import type { EntryStatus } from '../entry-store.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { type CoverageCell, columnsOf, countAll, type StateCounts } from './coverage-cells.ts'
import { loadPlaces } from './load-places.ts'
import { countOffers, listOfferGroups, listOffersIn } from './location-service-store.ts'

const ROWS_PER_PAGE = 40
const SERVICES_PER_PAGE = 16

interface CoverageService {
  id: number
  slug: string
  title: string
  status: EntryStatus
}

export interface CoverageRow {
  place: TermNode
  /** Number of places, including the row's own. */
  size: number
  /** True if the row includes all places below it; the first row of a branch doesn't. */
  isBranch: boolean
  cells: CoverageCell[]
}

export interface Coverage {
  /** From the root to the displayed branch; empty at the top. */
  trail: TermNode[]
  services: CoverageService[]
  /** Totals of all services, not just those displayed. */
  allServices: { id: number; title: string }[]
  rows: CoverageRow[]
  /** Totals of all services in all places. */
  counts: StateCounts
  places: number
  pages: { rows: number; services: number }
}

/** The displayed part of the matrix. */
export interface CoverageQuestion {
  /** Slug of the place whose branch is displayed; undefined for the top. */
  branch?: string | undefined
  /** Words of names: the places that have them, each on its own, from the whole tree. */
  name?: string | undefined
  rowPage?: number
  servicePage?: number
}

/**
 * Returns the matrix of services and places (§2.9), folded: one row for a place and one for each place directly
 * below, which includes everything under it. Undefined if there is no such place.
 */
export async function loadCoverage(
  db: Db,
  { branch, name, rowPage = 1, servicePage = 1 }: CoverageQuestion,
): Promise<Coverage | undefined> {
  const tree = await loadPlaces(db)
  const found = name === undefined ? undefined : findTermsByName(tree, name)
  const top = found ? undefined : branch === undefined ? onlyOf(tree.roots) : tree.bySlug.get(branch)
  if (!found && branch !== undefined && !top) return undefined
  const all = await entriesOf(db, SERVICES)
  const below = found ?? (top ? top.children : tree.roots)
  const shownRows = pageOf([...(top ? [top] : []), ...below], rowPage, ROWS_PER_PAGE)
  const shownServices = pageOf(all, servicePage, SERVICES_PER_PAGE)
  const entryIds = await entryIdsOf(db, shownServices, shownRows)
  const services = shownServices.map(({ id, slug, title, status }) => ({ id, slug, title, status }))
  const serviceIds = services.map(({ id }) => id)
  const groups = Map.groupBy(await listOfferGroups(db, serviceIds), ({ serviceId }) => serviceId)
  const branches = shownRows.map((place) => (place === top || found ? [place.id] : idsOfBranch(place)))
  const columns = columnsOf(services, groups, { places: shownRows, branches, entryIds })
  const rows = shownRows.map((place, row) => {
    const size = branches[row]?.length ?? 0
    return { place, size, isBranch: size > 1, cells: columns.flatMap((cells) => cells[row] ?? []) }
  })
  return {
    trail: top ? [...ancestorsOf(top), top] : [],
    services,
    allServices: all.map(({ id, title }) => ({ id, title })),
    rows,
    counts: countAll(
      { offers: await countOffers(db), ofDrafts: await countOffersOfDrafts(db, all) },
      all.length * tree.byId.size,
    ),
    places: tree.byId.size,
    pages: {
      rows: Math.ceil((below.length + (top ? 1 : 0)) / ROWS_PER_PAGE),
      services: Math.ceil(all.length / SERVICES_PER_PAGE),
    },
  }
}

async function countOffersOfDrafts(db: Db, services: readonly CoverageService[]) {
  const drafts = services.filter(({ status }) => status === 'draft').map(({ id }) => id)
  const groups = await listOfferGroups(db, drafts)
  return groups.map(({ locationIds, ...group }) => ({ ...group, count: locationIds.length }))
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

function onlyOf(roots: readonly TermNode[]): TermNode | undefined {
  return roots.length === 1 ? roots[0] : undefined
}

function pageOf<T>(items: readonly T[], page: number, size: number): T[] {
  return items.slice((page - 1) * size, page * size)
}
