import { nearNames } from '../../lib/names/near-names.ts'
import type { Named } from './names-store.ts'
import { wordsOf } from './search-words.ts'

/** The place or service that a text names. */
export type NameMatch =
  | { kind: 'found'; slug: string }
  | { kind: 'ambiguous'; slugs: string[] }
  /** `near`: similar names, closest first. */
  | { kind: 'unknown'; near: string[] }

/**
 * Finds the current slug of what has this text as its slug or, ignoring case and accents, as its name, else as a former
 * name or slug.
 */
export function findByName(named: readonly Named[], text: string): NameMatch {
  const whole = keyOf(text)
  const isWhole = (one: string) => whole !== '' && keyOf(one) === whole
  for (const fits of [
    ({ slugs }: Named) => slugs[0] === text,
    ({ name }: Named) => name === text,
    ({ name }: Named) => isWhole(name),
    ({ slugs, formerNames }: Named) => [...slugs, ...formerNames].some(isWhole),
  ]) {
    const [slug, ...others] = named.filter(fits).map(({ slugs }) => slugs[0] ?? '')
    if (slug !== undefined)
      return others.length > 0 ? { kind: 'ambiguous', slugs: [slug, ...others] } : { kind: 'found', slug }
  }
  const names = named.map(({ name }) => name)
  return { kind: 'unknown', near: nearNames(text, names) }
}

/** Returns the name of what has this slug, if that name means nothing else. */
export function uniqueNameOf(named: readonly Named[], slug: string): string | undefined {
  const name = named.find(({ slugs }) => slugs[0] === slug)?.name
  const match = name === undefined ? undefined : findByName(named, name)
  return match?.kind === 'found' && match.slug === slug ? name : undefined
}

function keyOf(name: string): string {
  return wordsOf(name).join(' ')
}
