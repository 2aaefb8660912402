import { listPictureAddresses } from '../../lib/markdown/markdown.ts'
import { readPictureAddress } from '../../lib/picture-address.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { Reference } from '../parsing/reference.ts'

interface TextPlace {
  path: string
  /** Returns the line of the file that contains a character of the text. */
  lineOf: (offset: number) => number
}

/**
 * Returns the files of `pictures/` that a Markdown text shows, and its pictures from other sites, which no page
 * shows.
 */
export function readTextPictures(
  markdown: string,
  { path, lineOf }: TextPlace,
): { references: Reference[]; mistakes: Mistake[] } {
  const references = new Map<string, Reference>()
  const mistakes: Mistake[] = []
  for (const address of new Set(listPictureAddresses(markdown))) {
    const read = readPictureAddress(address)
    // Markdown encodes addresses with spaces or accents.
    const spellings = [address, read.kind === 'file' ? read.name : address]
    const line = lineOf(Math.max(0, ...spellings.map((spelling) => markdown.indexOf(spelling))))
    if (read.kind === 'file' && !references.has(read.name))
      references.set(read.name, { line, to: 'picture', name: read.name })
    if (read.kind === 'foreign')
      mistakes.push({ path, line, fault: { code: 'picture_foreign', params: { address } } })
  }
  return { references: [...references.values()], mistakes }
}
