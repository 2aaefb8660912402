import type { Db } from '../../db/schema.ts'
import { type Coverage, type CoverageQuestion, loadCoverage } from '../../entries/coverage.ts'
import { countUnlistedPages, listScores } from './page-quality-store.ts'

/** A page's quality as the last publish found it. */
export interface Judgement {
  score: number
  isListed: boolean
}

export interface JudgedCoverage extends Coverage {
  /** Of the pages in the shown places themselves, by entry id. */
  judgements: ReadonlyMap<number, Judgement>
  /** How many pages of all search engines are asked not to list. */
  weak: number
}

/** The coverage with what the last publish found each page worth. Undefined when there is no such place. */
export async function loadJudgedCoverage(
  db: Db,
  question: CoverageQuestion,
): Promise<JudgedCoverage | undefined> {
  const coverage = await loadCoverage(db, question)
  if (!coverage) return undefined
  const ids = coverage.rows.flatMap(({ cells }) => cells.flatMap(({ entryId }) => entryId ?? []))
  return { ...coverage, judgements: await listScores(db, ids), weak: await countUnlistedPages(db) }
}
