import { expandOfferedIn, withOffer, withoutOffer } from '#src/entries/offers/offered-in.ts'
import { buildTermTree, descendantsOf, type TermNode, type TermTree } from '#src/taxonomies/term-tree.ts'
import type { PlaceOption } from './place-option.ts'

/** A place in the tree; with `isAlone`, the place without the places in it. */
export interface PlaceRow {
  place: TermNode
  isAlone: boolean
}

/** Builds the tree of the places in the order given. */
export function treeOf(options: readonly PlaceOption[]): TermTree {
  const terms = options.map(([id, slug, name, parentId], position) => ({
    ...{ id, slug, name, parentId, position },
    ...{ description: null, kind: null, taxonomyId: 0, formerSlugs: [] },
  }))
  return buildTermTree(terms)
}

/** Reads patterns from a text, one per line. */
export function patternsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Returns the places that patterns include, by the server's rule. */
export function offeredBy(patterns: readonly string[], tree: TermTree): Set<TermNode> {
  return new Set(expandOfferedIn(patterns, tree).terms)
}

/** Returns the patterns with the places of a row added or removed. */
export function offerRow(
  patterns: readonly string[],
  { place, isAlone }: PlaceRow,
  { tree, isOffered }: { tree: TermTree; isOffered: boolean },
): string[] {
  const reach = isAlone || place.children.length === 0 ? 'place' : 'branch'
  return (isOffered ? withOffer : withoutOffer)(patterns, { term: place, reach }, tree)
}

/** Counts the places of a row, and those of them that are offered. */
export function countRow({ place, isAlone }: PlaceRow, offered: ReadonlySet<TermNode>) {
  const all = isAlone ? [place] : [place, ...descendantsOf(place)]
  return { all: all.length, offered: all.filter((one) => offered.has(one)).length }
}
