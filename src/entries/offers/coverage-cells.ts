import type { TermNode } from '../../taxonomies/term-tree.ts'
import type { EntryStatus } from '../entry-store.ts'
import type { OfferGroup } from './location-service-store.ts'

/**
 * State of a service in a place: offered with the service's texts, customized, draft, or not offered. All pages of a
 * draft service are drafts.
 */
export type OfferState = 'offered' | 'overridden' | 'draft' | 'missing'

export type StateCounts = Record<OfferState, number>

/** A cell: one service in one place, or in a branch. */
export interface CoverageCell {
  serviceId: number
  /** In the place itself. */
  state: OfferState
  entryId: number | undefined
  /** In the place and all below it. */
  counts: StateCounts
}

/** The visible rows. */
interface Lines {
  places: readonly TermNode[]
  /** The IDs of the places that each row counts. */
  branches: readonly number[][]
  /** IDs of location services by `<service>/<place>`. */
  entryIds: ReadonlyMap<string, number>
}

/**
 * Computes the cells of each service from first row to last. Iterates once over the services' offers instead of the
 * places of each row: there may be 100,000 pairs.
 */
export function columnsOf(
  services: readonly { id: number; status: EntryStatus }[],
  groups: ReadonlyMap<number, readonly OfferGroup[]>,
  { places, branches, entryIds }: Lines,
): CoverageCell[][] {
  const rowOf = new Map(branches.flatMap((ids, row) => ids.map((id) => [id, row] as const)))
  return services.map(({ id: serviceId, status }) => {
    const cells = places.map((place, row): CoverageCell => {
      const counts = { ...noCounts(), missing: branches[row]?.length ?? 0 }
      return { serviceId, state: 'missing', entryId: entryIds.get(`${serviceId}/${place.id}`), counts }
    })
    for (const group of groups.get(serviceId) ?? [])
      fill(cells, { ...group, status: status === 'draft' ? status : group.status }, places, rowOf)
    return cells
  })
}

function fill(
  cells: CoverageCell[],
  group: OfferGroup,
  places: readonly TermNode[],
  rowOf: ReadonlyMap<number, number>,
) {
  const state = stateOf(group)
  for (const id of group.locationIds) {
    const row = rowOf.get(id) ?? -1
    const cell = cells[row]
    if (!cell) continue
    cell.counts[state] += 1
    cell.counts.missing -= 1
    if (places[row]?.id === id) cell.state = state
  }
}

function stateOf({ status, isGenerated }: Pick<OfferGroup, 'status' | 'isGenerated'>): OfferState {
  if (status === 'draft') return 'draft'
  return isGenerated ? 'offered' : 'overridden'
}

type CountedOffers = readonly (Pick<OfferGroup, 'status' | 'isGenerated'> & { count: number })[]

/** The states of all pairs; pairs that don't exist are missing. `ofDrafts` are those of draft services. */
export function countAll(
  { offers, ofDrafts }: { offers: CountedOffers; ofDrafts: CountedOffers },
  pairs: number,
): StateCounts {
  const counts = { ...noCounts(), missing: pairs }
  for (const offer of offers) {
    counts[stateOf(offer)] += offer.count
    counts.missing -= offer.count
  }
  for (const offer of ofDrafts) {
    counts[stateOf(offer)] -= offer.count
    counts.draft += offer.count
  }
  return counts
}

function noCounts(): StateCounts {
  return { offered: 0, overridden: 0, draft: 0, missing: 0 }
}
