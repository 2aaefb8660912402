import { qualityFacts } from '../../messages/admin/quality.ts'
/** The counted facts about a location page, from its view and the texts of other places. */
export interface QualityFacts {
  /** Words of the place's own introduction and text. */
  ownWords: number
  /** Share of these that another location page contains too, from 0 to 1, ignoring names and numbers. */
  copied: number
  /** The page that shares the most of them. */
  twinPath: string | null
  /** Words of the whole page, including inherited ones. */
  pageWords: number
  /** Words of the place's description, which its pages share across services. */
  placeWords: number
  /** True for an address that names the place. */
  hasAddress: boolean
  /** True for a phone number other than the site's. */
  hasPhone: boolean
  hasMap: boolean
  /** The best testimonial shown from this place or below: about this service, about another, or none. */
  testimonial: 'service' | 'other' | null
  /** Number of places directly below with a page of the same service. */
  placesBelow: number
}

/** A location page's quality, and whether search engines may list it. */
export interface PageQuality {
  entryId: number
  path: string
  score: number
  isListed: boolean
  facts: QualityFacts
}

export interface QualityPart {
  points: number
  /** Maximum points. */
  most: number
  /** Finding. */
  reason: string
  /** Advice that would raise it; undefined if nothing would. */
  advice?: string
}

export const BEST_SCORE = 100
/** A page passes with about forty words that no other page has, or fewer with a local testimonial or address. */
export const DEFAULT_THRESHOLD = 40

const OWN_WORDS_POINTS = 60
const POINTS_PER_OWN_WORD = 0.75
const PLACE_WORDS_POINTS = 15
const POINTS_PER_PLACE_WORD = 0.3
const FULL_PAGE_WORDS = 250
const HUB_PLACES = 2
const MOSTLY_COPIED = 0.5

/** Scores from 0 to 100 how much a location page says that the others don't. */
export function scoreOf(facts: QualityFacts): number {
  const points = partsOf(facts).reduce((sum, part) => sum + part.points, 0)
  return Math.min(BEST_SCORE, Math.round(points))
}

/** Returns the score in parts, each with the facts found and advice to raise it. */
export function partsOf(facts: QualityFacts): QualityPart[] {
  return [
    ownWordsPart(facts),
    placePart(facts),
    testimonialPart(facts),
    facts.hasAddress
      ? full(10, qualityFacts.address)
      : none(10, qualityFacts.noAddress, qualityFacts.addAddress),
    facts.hasPhone ? full(5, qualityFacts.phone) : none(5, qualityFacts.noPhone, qualityFacts.addPhone),
    facts.hasMap ? full(5, qualityFacts.map) : none(5, qualityFacts.noMap, qualityFacts.addMap),
    facts.placesBelow >= HUB_PLACES
      ? full(10, qualityFacts.links(facts.placesBelow))
      : none(10, qualityFacts.noLinks),
    facts.pageWords >= FULL_PAGE_WORDS
      ? full(10, qualityFacts.pageWords(facts.pageWords))
      : none(10, qualityFacts.pageWords(facts.pageWords), qualityFacts.lengthenPage(FULL_PAGE_WORDS)),
  ]
}

/** Returns advice to raise the score, most valuable first, each with the points it could add. */
export function adviceFor(facts: QualityFacts): { advice: string; points: number }[] {
  return partsOf(facts)
    .flatMap(({ advice, most, points }) => (advice ? [{ advice, points: most - points }] : []))
    .sort((a, b) => b.points - a.points)
}

function full(points: number, reason: string): QualityPart {
  return { points, most: points, reason }
}

function none(most: number, reason: string, advice?: string): QualityPart {
  return { points: 0, most, reason, ...(advice && { advice }) }
}

function ownWordsPart({ ownWords, copied, twinPath }: QualityFacts): QualityPart {
  const points = Math.min(OWN_WORDS_POINTS, ownWords * (1 - copied) * POINTS_PER_OWN_WORD)
  const missing = Math.ceil((OWN_WORDS_POINTS - points) / POINTS_PER_OWN_WORD)
  const [percent, path] = [`${Math.round(copied * 100)}%`, twinPath ?? '']
  const reason =
    copied > 0
      ? qualityFacts.copiedWords({ words: ownWords, percent, path })
      : qualityFacts.ownWords(ownWords)
  if (missing <= 0) return { points, most: OWN_WORDS_POINTS, reason }
  const advice =
    copied > MOSTLY_COPIED ? qualityFacts.rewrite(percent, path) : qualityFacts.writeMore(missing)
  return { points, most: OWN_WORDS_POINTS, reason, advice }
}

function placePart({ placeWords }: QualityFacts): QualityPart {
  const points = Math.min(PLACE_WORDS_POINTS, placeWords * POINTS_PER_PLACE_WORD)
  const reason = qualityFacts.placeWords(placeWords)
  if (points === PLACE_WORDS_POINTS) return full(points, reason)
  const advice = qualityFacts.describePlace(PLACE_WORDS_POINTS / POINTS_PER_PLACE_WORD)
  return { points, most: PLACE_WORDS_POINTS, reason, advice }
}

function testimonialPart({ testimonial }: QualityFacts): QualityPart {
  if (testimonial === 'service') return full(15, qualityFacts.review)
  const advice = qualityFacts.addReview
  if (testimonial === null) return none(15, qualityFacts.noReview, advice)
  return { points: 8, most: 15, reason: qualityFacts.otherReview, advice }
}
