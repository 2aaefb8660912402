import type { Db } from '../../db/schema.ts'
import { slugOf } from '../../lib/slug.ts'
import { listPlaceNames, type Named } from './names-store.ts'
import { placeMark, slugMark, wordsOf } from './search-words.ts'

/**
 * Returns the marks of those places that match a text: those with this name, else those with this former name or slug,
 * else those with a name whose words start with these words, else those whose name contains all these letters. If
 * nothing matches, the text itself counts as the slug of a deleted place. Undefined for a text without words.
 */
export function marksOfPlaces(places: readonly Named[], text: string): string[] | undefined {
  const ids = idsOfPlaces(places, text)
  return ids?.length === 0 ? [slugMark(slugOf(text) || text)] : ids?.map(placeMark)
}

/** Returns the IDs of the same places, without those below them; none for a deleted place. */
export async function findPlaceIds(db: Db, text: string): Promise<number[] | undefined> {
  return namesPlace(text) ? idsOfPlaces(await listPlaceNames(db), text) : undefined
}

/** Returns whether a text has words. */
export function namesPlace(text: string): boolean {
  return wordsOf(text).length > 0
}

function idsOfPlaces(all: readonly Named[], text: string): number[] | undefined {
  const sought = wordsOf(text)
  if (sought.length === 0) return undefined
  const places = all.map((place) => ({ place, names: namesOf(place) }))
  const whole = sought.join(' ')
  // “Washington” means the place of that name, not another one whose slug is `washington`.
  const named = places.filter(({ names: [name] }) => name === whole)
  if (named.length > 0) return named.map(({ place }) => place.id)
  for (const fits of [
    (name: string) => name === whole,
    (name: string) => sought.every((word) => ` ${name}`.includes(` ${word}`)),
    (name: string) => sought.every((word) => name.includes(word)),
  ]) {
    const meant = places.filter(({ names }) => names.some(fits))
    if (meant.length > 0) return meant.map(({ place }) => place.id)
  }
  return []
}

function namesOf({ name, slugs, formerNames }: Named): string[] {
  return [name, ...formerNames, ...slugs].map((one) => wordsOf(one).join(' '))
}
