import { nearNames } from './names/near-names.ts'

/** The target of a picture in a text: a file of `pictures/`, another site, or a path of this one. */
export type PictureAddress = { kind: 'file'; name: string } | { kind: 'foreign' } | { kind: 'path' }

/** A problem with a picture in a text. `near` are names that resemble the missing one, closest first. */
export type PictureProblem = { kind: 'missing'; name: string; near: string[] } | { kind: 'foreign' }

const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i
const FOLDER = /^(?:\/|(?:\.{1,2}\/)*)pictures\/|^\.\//

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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
