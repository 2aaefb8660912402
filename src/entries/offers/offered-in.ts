import { descendantsOf, isWithin, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'

const PATTERN = /^(?<except>except )?(?<slug>[^/ ]+)(?:\/(?<depth>\*\*?))?$/

/** Part of a branch: the term itself, the terms directly below it, or the term and all below. */
export type Reach = 'place' | 'below' | 'branch'

const ENDINGS: Record<Reach, string> = { place: '', below: '/*', branch: '/**' }

/**
 * Returns the locations that a service's patterns include (contract §3): `austin` is that term, `texas/*` its
 * children, `texas/**` the term and all below. `except dallas/**` removes places included by earlier patterns. Each
 * term appears once, in pattern order. `unknown` contains patterns without a matching term.
 */
export function expandOfferedIn(
  patterns: readonly string[],
  tree: TermTree,
): { terms: TermNode[]; unknown: string[] } {
  const terms = new Set<TermNode>()
  const unknown: string[] = []
  for (const pattern of patterns) {
    const named = expandPattern(pattern, tree)
    if (!named) unknown.push(pattern)
    for (const term of named?.terms ?? []) {
      if (named?.isExcept) terms.delete(term)
      else terms.add(term)
    }
  }
  return { terms: [...terms], unknown }
}

/** The parts of a pattern. */
interface OfferPattern {
  /** The slug of the place that it names. */
  slug: string
  reach: Reach
  isExcept: boolean
}

/** Returns the parts of a pattern; undefined if it is invalid. */
export function readPattern(pattern: string): OfferPattern | undefined {
  const { slug, depth, except } = PATTERN.exec(pattern)?.groups ?? {}
  if (slug === undefined) return undefined
  const reach = depth === undefined ? 'place' : depth === '*' ? 'below' : 'branch'
  return { slug, reach, isExcept: except !== undefined }
}

/** Returns the term slug in a pattern; undefined if the pattern is invalid. */
export function locationOfPattern(pattern: string): string | undefined {
  return readPattern(pattern)?.slug
}

/** Returns the pattern with a place's slug replaced. */
export function renamePlaceInPattern(pattern: string, { from, to }: { from: string; to: string }): string {
  const { slug, except = '', depth } = PATTERN.exec(pattern)?.groups ?? {}
  return slug === from ? `${except}${to}${depth === undefined ? '' : `/${depth}`}` : pattern
}

/** Returns whether the patterns include a place: the last one that reaches it decides. */
export function includesPlace(patterns: readonly string[], place: TermNode): boolean {
  return isIncluded(
    patterns,
    ({ slug, reach }) =>
      (reach === 'place' && slug === place.slug) ||
      (reach === 'below' && slug === place.parent?.slug) ||
      (reach === 'branch' && isWithin(place, slug)),
  )
}

/** Returns whether the patterns would include a place that is added directly below a term. */
export function includesNewPlace(patterns: readonly string[], parent: TermNode): boolean {
  return isIncluded(
    patterns,
    ({ slug, reach }) =>
      (reach === 'below' && slug === parent.slug) || (reach === 'branch' && isWithin(parent, slug)),
  )
}

function isIncluded(patterns: readonly string[], reaches: (pattern: OfferPattern) => boolean): boolean {
  const read = patterns.flatMap((pattern) => readPattern(pattern) ?? [])
  return read.findLast(reaches)?.isExcept === false
}

/** Returns the patterns extended by these places; unchanged if all of them are already offered. */
export function withOffer(
  patterns: readonly string[],
  { term, reach }: { term: TermNode; reach: Reach },
  tree: TermTree,
): string[] {
  const offered = new Set(expandOfferedIn(patterns, tree).terms)
  if (placesOf(term, reach).every((place) => offered.has(place))) return [...patterns]
  return append(patterns, term.slug + ENDINGS[reach], tree)
}

/** Returns the patterns without these places. */
export function withoutOffer(
  patterns: readonly string[],
  { term, reach }: { term: TermNode; reach: Reach },
  tree: TermTree,
): string[] {
  const offered = new Set(expandOfferedIn(patterns, tree).terms)
  if (!placesOf(term, reach).some((place) => offered.has(place))) return [...patterns]
  return append(patterns, `except ${term.slug}${ENDINGS[reach]}`, tree)
}

/** A place where a service is to be offered or not. */
export interface PlaceChoice {
  term: TermNode
  reach: Reach
  isOffered: boolean
}

/** Returns the patterns changed to these choices about new places. Choices that the patterns already make add nothing. */
export function withChoices(
  patterns: readonly string[],
  choices: readonly PlaceChoice[],
  tree: TermTree,
): string[] {
  const offered = new Set(expandOfferedIn(patterns, tree).terms)
  const changed = choices.filter(({ term, reach, isOffered }) =>
    placesOf(term, reach).some((place) => offered.has(place) !== isOffered),
  )
  const slugs = new Set(changed.map(({ term }) => term.slug))
  return [
    ...patterns.filter((pattern) => !slugs.has(locationOfPattern(pattern) ?? '')),
    ...changed.map(
      ({ term, reach, isOffered }) => `${isOffered ? '' : 'except '}${term.slug}${ENDINGS[reach]}`,
    ),
  ]
}

/** Returns the places within a reach of a term. */
export function placesOf(term: TermNode, reach: Reach): TermNode[] {
  if (reach === 'place') return [term]
  return reach === 'below' ? term.children : [term, ...descendantsOf(term)]
}

// Removes patterns that the new one repeats or reverses. A pattern of a deleted term has no effect but stays,
// because a file may still add the term.
function append(patterns: readonly string[], last: string, tree: TermTree): string[] {
  const covered = new Set(expandPattern(last, tree)?.terms)
  const kept = patterns.filter((pattern) => {
    const named = expandPattern(pattern, tree)
    return !named?.terms.length || !named.terms.every((term) => covered.has(term))
  })
  const isNeeded = keyOf(kept, tree) !== keyOf([...kept, last], tree)
  return isNeeded ? [...kept, last] : kept
}

function keyOf(patterns: readonly string[], tree: TermTree): string {
  const ids = expandOfferedIn(patterns, tree).terms.map(({ id }) => id)
  return ids.sort((a, b) => a - b).join()
}

function expandPattern(
  pattern: string,
  tree: TermTree,
): { terms: TermNode[]; isExcept: boolean } | undefined {
  const read = readPattern(pattern)
  const term = read && tree.bySlug.get(read.slug)
  return term && { terms: placesOf(term, read.reach), isExcept: read.isExcept }
}
