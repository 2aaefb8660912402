import { distance } from 'fastest-levenshtein'

const NEAR_NAMES = 3
/** Four of ten letters may differ. */
const NEAR_SHARE = 0.4

/** Returns at most three names that resemble this one, closest first. Ignores case. */
export function nearNames(name: string, names: Iterable<string>): string[] {
  return measured(name, names)
    .filter(({ one, away }) => away <= Math.max(name.length, one.length) * NEAR_SHARE)
    .slice(0, NEAR_NAMES)
    .map(({ one }) => one)
}

/** Names by their similarity to this one, closest first. */
export function byNearness(name: string, names: Iterable<string>): string[] {
  return measured(name, names).map(({ one }) => one)
}

function measured(name: string, names: Iterable<string>): { one: string; away: number }[] {
  const wanted = name.toLowerCase()
  return [...names]
    .map((one) => ({ one, away: distance(wanted, one.toLowerCase()) }))
    .sort((a, b) => a.away - b.away)
}
