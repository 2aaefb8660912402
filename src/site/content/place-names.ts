import { onceFor } from '../../lib/once-for.ts'
import { kindOfPlace, nearestOfKind } from '../../taxonomies/kind-of-place.ts'
import { ancestorsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'

const namesByCountry = onceFor((_: TermTree) => new Map<string, Map<TermNode, string>>())
const placesByName = onceFor(({ byId }: TermTree) => Map.groupBy(byId.values(), ({ name }) => name))

/**
 * Returns the shortest usual name that is unique in the tree: `Miami, Florida`, or `Springfield, Clark County, Ohio`
 * if Ohio has two. The country is included only if nothing else tells two places apart.
 */
export function fullNameOf(tree: TermTree, place: TermNode, siteCountry: string): string {
  const byCountry = namesByCountry(tree)
  const known = byCountry.get(siteCountry) ?? new Map<TermNode, string>()
  byCountry.set(siteCountry, known)
  if (!known.has(place)) nameAlike(placesByName(tree).get(place.name) ?? [place], siteCountry, known)
  return known.get(place) ?? place.name
}

// Only places with the same name can be mistaken for each other.
function nameAlike(places: readonly TermNode[], siteCountry: string, known: Map<TermNode, string>) {
  const choices = places.map((term) => ({ term, names: namesOf(term, siteCountry) }))
  const counts = new Map<string, number>()
  for (const { names } of choices) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { term, names } of choices)
    known.set(term, names.find((name) => counts.get(name) === 1) ?? names.at(-1) ?? term.name)
}

// From the usual name to the longest. Each includes the usual one.
function namesOf(term: TermNode, siteCountry: string): string[] {
  const around = ancestorsOf(term).reverse()
  const usual = usualAround(term, siteCountry)
  const least = usual ? around.indexOf(usual) + 1 : 1
  const longer = around.map((_, index) => [term, ...around.slice(0, index + 1)]).slice(least - 1)
  const lines = [usual ? [term, usual] : [term], ...longer]
  return [...new Set(lines.map((line) => line.map(({ name }) => name).join(', ')))]
}

// A city is identified by its state, other places by the one above. A country adds nothing for locals.
function usualAround(term: TermNode, siteCountry: string): TermNode | undefined {
  const isCity = kindOfPlace(term, siteCountry) === 'city'
  const state = isCity ? nearestOfKind(term, 'state', siteCountry) : undefined
  return state ?? (term.parent?.parent ? term.parent : undefined)
}
