import { distance } from 'fastest-levenshtein'

/** The target of a picture in a text: a file of `pictures/`, another site, or a path of this one. */
export type PictureAddress = { kind: 'file'; name: string } | { kind: 'foreign' } | { kind: 'path' }

/** A problem with a picture in a text. `near` are names that resemble the missing one, closest first. */
export type PictureProblem = { kind: 'missing'; name: string; near: string[] } | { kind: 'foreign' }

const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i
const FOLDER = /^(?:\/|(?:\.{1,2}\/)*)pictures\/|^\.\//
const NEAR_NAMES = 3
/** Four of ten letters may differ. */
const NEAR_SHARE = 0.4

/** Reads `shop.jpg`, `/pictures/shop.jpg` and `../pictures/shop.jpg` as the file `shop.jpg`. */
export function readPictureAddress(address: string): PictureAddress {
  if (FOREIGN.test(address)) return { kind: 'foreign' }
  const name = address.replace(FOLDER, '')
  if (name.startsWith('/')) return { kind: 'path' }
  return { kind: 'file', name: decoded(name.replace(/[?#].*$/s, '')).normalize('NFC') }
}

/** Returns the problem with a picture's address, given the files of `pictures/`; undefined if there is none. */
export function findPictureProblem(address: string, names: ReadonlySet<string>): PictureProblem | undefined {
  const read = readPictureAddress(address)
  if (read.kind === 'foreign') return { kind: 'foreign' }
  if (read.kind === 'path' || names.has(read.name)) return undefined
  return { kind: 'missing', name: read.name, near: nearNames(read.name, names) }
}

function nearNames(name: string, names: Iterable<string>): string[] {
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
