import { mayHoldPictures } from '../lib/markdown/markdown.ts'
import { readPictureAddress } from '../lib/picture-address.ts'
import { MAX_NAME_LENGTH } from './picture.ts'

/** Addresses in Markdown and HTML. Includes more than a page shows, such as those in code. */
const ADDRESSES =
  /\]\(\s*(?:<(?<angled>[^>\n]+)>|(?<bare>\S+))|^ {0,3}\[[^\]\n]+\]:\s*<?(?<defined>[^\s>]+)|\bsrc\s*=\s*["']?(?<html>[^"'>\n]+)/gim

/**
 * Returns the names of pictures that a text may show. Extra names do no harm, because they are only used for
 * lookups.
 */
export function namesInText(markdown: string): Set<string> {
  const names = new Set<string>()
  if (!mayHoldPictures(markdown)) return names
  for (const { groups } of markdown.matchAll(ADDRESSES))
    for (const address of Object.values(groups ?? {}).flatMap((found) => (found ? spellingsOf(found) : []))) {
      const read = readPictureAddress(address)
      if (read.kind === 'file' && read.name.length <= MAX_NAME_LENGTH) names.add(read.name)
    }
  return names
}

// A bare address ends at a bracket of the text, or has its own brackets.
function spellingsOf(address: string): string[] {
  const ends = [...address.matchAll(/\)/g)].map(({ index }) => address.slice(0, index))
  return [address, ...ends]
}

/** Returns all texts in field values, at any depth, that may be picture names. */
export function namesInValues(value: unknown, key = ''): Set<string> {
  if (typeof value === 'string') return new Set(mayBeName(value, key) ? [value.normalize('NFC')] : [])
  if (typeof value !== 'object' || value === null) return new Set()
  const entries = Array.isArray(value) ? value.map((item) => [key, item] as const) : Object.entries(value)
  return new Set(entries.flatMap(([name, item]) => [...namesInValues(item, name)]))
}

// Names without an extension are recognized by the original picture key.
function mayBeName(text: string, key: string): boolean {
  const isShort = text.length > 0 && text.length <= MAX_NAME_LENGTH && !text.includes('\n')
  return isShort && (key === 'picture' || /\.[a-z0-9]{2,5}$/i.test(text))
}
