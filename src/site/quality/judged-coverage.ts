import type { Db } from '../../db/schema.ts'
import {
  type Coverage,
  type CoverageQuestion,
  type CoverageRow,
  loadCoverage,
} from '../../entries/offers/coverage.ts'
import type { CoverageCell, OfferState, StateCounts } from '../../entries/offers/coverage-cells.ts'
import { descendantsOf } from '../../taxonomies/term-tree.ts'
import { listScores } from './page-quality-store.ts'
import { countUnlisted, listUnlistedGroups, type UnlistedGroup } from './search-presence-store.ts'

/** State of a service in a place: an `OfferState`, or a page kept out of search engines. */
export type PageState = OfferState | 'unlisted'
export type PageCounts = Record<PageState, number>

export interface JudgedCell extends Pick<CoverageCell, 'serviceId' | 'entryId'> {
  state: PageState
  counts: PageCounts
  /** Quality of the page in the place itself, according to the last publish. */
  score: number | undefined
}

export interface JudgedRow extends Omit<CoverageRow, 'cells'> {
  cells: JudgedCell[]
}

export interface JudgedCoverage extends Omit<Coverage, 'rows' | 'counts'> {
  rows: JudgedRow[]
  counts: PageCounts
}

/** Returns the coverage with each page's quality from the last publish. Undefined if there is no such place. */
export async function loadJudgedCoverage(
  db: Db,
  question: CoverageQuestion,
): Promise<JudgedCoverage | undefined> {
  const coverage = await loadCoverage(db, question)
  if (!coverage) return undefined
  const ids = coverage.rows.flatMap(({ cells }) => cells.flatMap(({ entryId }) => entryId ?? []))
  const scores = await listScores(db, ids)
  const serviceIds = coverage.services.map(({ id }) => id)
  const groups = await listUnlistedGroups(db, serviceIds)
  const unlisted = placeUnlisted(coverage.rows, groups)
  const rows = coverage.rows.map((row, number) => ({
    ...row,
    cells: row.cells.map((cell) => {
      const found = unlisted.get(`${number} ${cell.serviceId}`) ?? NONE
      return { ...judgeCell(cell, found), score: scores.get(cell.entryId ?? 0) }
    }),
  }))
  return { ...coverage, rows, counts: takeOut(coverage.counts, await countUnlisted(db)) }
}

/** Pages of one service in one row that are missing from search. */
interface Unlisted {
  /** In the row's own place. */
  isHere: boolean
  counts: { isGenerated: boolean; count: number }[]
}

const NONE: Unlisted = { isHere: false, counts: [] }

// By row and service. Iterates over the pages once instead of the places of each row, which may be 100,000.
function placeUnlisted(
  rows: readonly CoverageRow[],
  groups: readonly UnlistedGroup[],
): ReadonlyMap<string, Unlisted> {
  const rowOf = new Map(rows.flatMap((row, number) => idsOf(row).map((id) => [id, number] as const)))
  const placed = new Map<string, Unlisted>()
  for (const { serviceId, isGenerated, locationIds } of groups) {
    const counts = rows.map(() => 0)
    for (const id of locationIds) {
      const number = rowOf.get(id)
      if (number !== undefined) counts[number] = (counts[number] ?? 0) + 1
    }
    const here = new Set(locationIds)
    for (const [number, { place }] of rows.entries()) {
      const key = `${number} ${serviceId}`
      const before = placed.get(key) ?? NONE
      const count = { isGenerated, count: counts[number] ?? 0 }
      placed.set(key, { isHere: before.isHere || here.has(place.id), counts: [...before.counts, count] })
    }
  }
  return placed
}

function idsOf({ place, isBranch }: CoverageRow): number[] {
  return [place.id, ...(isBranch ? descendantsOf(place).map(({ id }) => id) : [])]
}

function judgeCell(
  { serviceId, entryId, state, counts }: CoverageCell,
  { isHere, counts: unlisted }: Unlisted,
): Omit<JudgedCell, 'score'> {
  const isOffered = state === 'offered' || state === 'overridden'
  return {
    serviceId,
    entryId,
    state: isOffered && isHere ? 'unlisted' : state,
    counts: takeOut(counts, unlisted),
  }
}

// Pages missing from search are counted separately and no longer as offered.
function takeOut(
  counts: StateCounts,
  unlisted: readonly { isGenerated: boolean; count: number }[],
): PageCounts {
  const judged = { ...counts, unlisted: 0 }
  for (const { isGenerated, count } of unlisted) {
    judged.unlisted += count
    judged[isGenerated ? 'offered' : 'overridden'] -= count
  }
  return judged
}
