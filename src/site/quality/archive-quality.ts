import { findOverlaps } from './overlap-index.ts'
import { type QualityFacts, scoreOf } from './page-quality.ts'
import { sketchOf } from './sketch.ts'

/** Facts used to judge a term's page. */
interface ArchiveFacts {
  description: string | null
  /** Number of pages it links to. */
  links: number
}

/**
 * Selects the archive pages that search engines should list. Like location pages, they are judged by how much their
 * descriptions differ and by how many pages they link to. Links alone are never enough.
 */
export function judgeArchives(pages: readonly ArchiveFacts[], threshold: number): boolean[] {
  const sketches = pages.map(({ description }) => sketchOf(description ?? ''))
  const overlaps = findOverlaps(sketches.map(({ hashes }) => hashes))
  return pages.map(({ links }, index) => {
    const ownWords = sketches[index]?.words ?? 0
    const copied = overlaps[index]?.share ?? 0
    const facts = { ...NOTHING, ownWords, copied, pageWords: ownWords, placesBelow: links }
    return ownWords > 0 && scoreOf(facts) >= threshold
  })
}

const NOTHING: QualityFacts = {
  ownWords: 0,
  copied: 0,
  twinPath: null,
  pageWords: 0,
  placeWords: 0,
  placesBelow: 0,
  hasAddress: false,
  hasPhone: false,
  hasMap: false,
  testimonial: null,
}
