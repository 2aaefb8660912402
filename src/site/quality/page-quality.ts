import { qualityFacts } from '../../messages/admin/quality.ts'
/** The counted facts about a location page, from its view and the texts of the other places. */
export interface QualityFacts {
  /** Words of the place's own introduction and text. */
  ownWords: number
  /** From 0 to 1: how much of these another location page says too, names and numbers aside. */
  copied: number
  /** The page that says the most of them too. */
  twinPath: string | null
  /** Words of the whole page, inherited ones included. */
  pageWords: number
  /** Words of the location's description, which its pages of all services share. */
  placeWords: number
  /** An address that names the place. */
  hasAddress: boolean
  /** A phone number other than the site's. */
  hasPhone: boolean
  hasMap: boolean
  /** A shown testimonial said here or below: about this service, about another, or none. */
  testimonial: 'service' | 'other' | null
  /** Places directly below with a page of the same service. */
  placesBelow: number
}

/** Quality of a location page, and its listing in search engines. */
export interface PageQuality {
  entryId: number
  path: string
  score: number
  isListed: boolean
  facts: QualityFacts
}

export interface QualityPart {
  points: number
  /** The most that this could give. */
  most: number
  /** Finding. */
  reason: string
  /** Advice that would raise it; undefined if nothing would. */
  advice?: string
}

export const BEST_SCORE = 100
/** A page passes with about forty words that no other page has, or fewer beside a testimonial or an address there. */
export const DEFAULT_THRESHOLD = 40

const OWN_WORDS_POINTS = 60
const POINTS_PER_OWN_WORD = 0.75
const PLACE_WORDS_POINTS = 15
const POINTS_PER_PLACE_WORD = 0.3
const FULL_PAGE_WORDS = 250
const HUB_PLACES = 2
const MOSTLY_COPIED = 0.5

/** From 0 to 100: whether a location page says something that the other ones do not. */
export function scoreOf(facts: QualityFacts): number {
  const points = partsOf(facts).reduce((sum, part) => sum + part.points, 0)
  return Math.min(BEST_SCORE, Math.round(points))
}

/** The score in parts, each with what was found and what would raise it. */
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

/** Returns advice that would raise the score, the most valuable first, each with the points it could add. */
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
