import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Counts texts in the bytes of all files below a folder, ignoring case: as they are, in a URL, and in JSON. */
export function countBytes(folder: string, texts: readonly string[]): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const contents = files.map((file) => toBytes(readFileSync(join(file.parentPath, file.name))))
  const ways = new Set(texts.flatMap(waysOf).map((way) => toBytes(Buffer.from(way))))
  let count = 0
  for (const way of ways) for (const content of contents) count += content.split(way).length - 1
  return count
}

// One letter for each byte: files aren't texts.
function toBytes(buffer: Buffer): string {
  return buffer.toString('latin1').toLowerCase()
}

function waysOf(text: string): string[] {
  const inUrl = encodeURIComponent(text)
  const inJson = text.replace(/[^ -~]/gu, (letter) =>
    [...Array(letter.length).keys()]
      .map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
  const spellings = [text, inUrl, inUrl.replaceAll('%20', '+'), inJson]
  return spellings.flatMap((one) => [one, one.normalize('NFD')])
}
