import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLOURS = 256

/**
 * Encodes an opaque picture as PNG with a palette (https://www.w3.org/TR/png-3/): a few flat colors with smooth
 * edges take a quarter of the bytes of full color. `pixels` are RGBA, row by row.
 */
export async function palettePng(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  const { palette, indexes } = findPalette(words, width, height)
  const data = await promisify(deflate)(indexes, { strategy: constants.Z_RLE })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

// Edges have hundreds of shades, so those that look the same are merged. Flat colors stay the same or differ just as
// little.
function findPalette(words: Uint32Array, width: number, height: number) {
  for (const mask of [0xfcfcfc, 0xf8f8f8, 0xf0f0f0, 0xe0e0e0]) {
    const found = indexColours(words, { width, height, mask })
    if (found) return found
  }
  throw new Error('The picture has too many colours')
}

// Undefined if the mask leaves too many colors.
function indexColours(
  words: Uint32Array,
  { width, height, mask }: { width: number; height: number; mask: number },
): { palette: Buffer; indexes: Buffer } | undefined {
  const known = new Map<number, number>()
  const shown: number[] = []
  const indexes = Buffer.alloc((width + 1) * height)
  for (let start = 0, end = 0; start < words.length; start = end) {
    const row = Math.floor(start / width)
    end = endOfRun(words, start, (row + 1) * width)
    const word = words[start] as number
    const index = known.get(word & mask) ?? known.size
    if (index === known.size) shown.push(...shownColour(word))
    if (index === MOST_COLOURS) return undefined
    known.set(word & mask, index)
    // Each row starts with its filter number: none.
    indexes.fill(index, start + row + 1, end + row + 1)
  }
  return { palette: Buffer.from(shown), indexes }
}

// Most of a row has one color.
function endOfRun(words: Uint32Array, start: number, rowEnd: number): number {
  let end = start + 1
  while (end < rowEnd && words[end] === words[start]) end++
  return end
}

// The bytes of a pixel are red, green, blue, and alpha, lowest first.
function shownColour(word: number): number[] {
  return [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff]
}

function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  // Eight bits per index, with a palette, and the only defined methods.
  data.set([8, 3, 0, 0, 0], 8)
  return data
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
