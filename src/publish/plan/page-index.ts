import { crc32 } from 'node:zlib'
import type { PageRecord } from './page-record.ts'

const MIN_SLOTS = 1_024
// What is kept of a page, as 32-bit numbers: hash of its path (two), fingerprint, own entry (two), hash of the bytes (two),
// size, moment, hash of the key, quality, whether it is listed.
const WORDS = {
  fingerprint: 2,
  own: 4,
  bytesHash: 6,
  size: 8,
  modifiedAt: 9,
  key: 10,
  quality: 11,
  isListed: 12,
} as const
const WORDS_PER_PAGE = 13

/** What the current release knows of a page. */
export interface KnownPage {
  fingerprint: string
  own: string
  bytesHash: string
  size: number
  modifiedAt: string
  quality: string
  isListed: boolean
  hasFingerprint(fingerprint: string): boolean
  hasKey(key: string): boolean
}

/** The pages of a release by path: 52 bytes each at a load of a half, so that a million of them fit anywhere. */
export interface PageIndex {
  find(path: string): KnownPage | undefined
}

/** Reads all records into an index. Two paths of one hash (64 bits) would count as one page. */
export function indexPages(records: Iterable<PageRecord>): PageIndex {
  const table = new PageTable()
  for (const record of records) table.add(record)
  return table
}

// Open addressing with linear probing; never more than half full.
class PageTable implements PageIndex {
  #words = new Uint32Array(MIN_SLOTS * WORDS_PER_PAGE)
  #used = new Uint8Array(MIN_SLOTS)
  #count = 0

  add(record: PageRecord) {
    if (this.#count * 2 >= this.#used.length) this.#grow()
    const [high, low] = hashPath(record.path)
    this.#place([high, low, ...wordsOf(record)])
  }

  find(path: string): KnownPage | undefined {
    const [high, low] = hashPath(path)
    const slot = this.#slotOf(high, low)
    return this.#used[slot] ? knownPage(this.#words, slot * WORDS_PER_PAGE) : undefined
  }

  #place(words: ArrayLike<number>) {
    const slot = this.#slotOf(words[0] as number, words[1] as number)
    if (!this.#used[slot]) this.#count++
    this.#used[slot] = 1
    this.#words.set(words, slot * WORDS_PER_PAGE)
  }

  // The slot of a path, or the free one where it would be.
  #slotOf(high: number, low: number): number {
    const mask = this.#used.length - 1
    let slot = low & mask
    while (this.#used[slot] && !this.#isAt(slot * WORDS_PER_PAGE, high, low)) slot = (slot + 1) & mask
    return slot
  }

  #isAt(start: number, high: number, low: number): boolean {
    return this.#words[start] === high && this.#words[start + 1] === low
  }

  #grow() {
    const [words, used] = [this.#words, this.#used]
    this.#words = new Uint32Array(words.length * 2)
    this.#used = new Uint8Array(used.length * 2)
    this.#count = 0
    for (let slot = 0; slot < used.length; slot++)
      if (used[slot]) this.#place(words.subarray(slot * WORDS_PER_PAGE, (slot + 1) * WORDS_PER_PAGE))
  }
}

function wordsOf(record: PageRecord): number[] {
  const { key, fingerprint, own, bytesHash, size, modifiedAt, quality, isListed } = record
  const moment = Date.parse(modifiedAt) / 1_000
  const hashes = [...hexWords(fingerprint), ...hexWords(own), ...hexWords(bytesHash)]
  return [...hashes, size, moment, crc32(key), hexWord(quality), isListed ? 1 : 0]
}

function knownPage(words: Uint32Array, start: number): KnownPage {
  const hex = (word: number) => (words[start + word] as number).toString(16).padStart(8, '0')
  return {
    get fingerprint() {
      return hex(WORDS.fingerprint) + hex(WORDS.fingerprint + 1)
    },
    get own() {
      return hex(WORDS.own) + hex(WORDS.own + 1)
    },
    get bytesHash() {
      return hex(WORDS.bytesHash) + hex(WORDS.bytesHash + 1)
    },
    get size() {
      return words[start + WORDS.size] as number
    },
    get modifiedAt() {
      return toSeconds(new Date((words[start + WORDS.modifiedAt] as number) * 1_000))
    },
    get quality() {
      return hex(WORDS.quality)
    },
    get isListed() {
      return words[start + WORDS.isListed] === 1
    },
    hasFingerprint(fingerprint) {
      const [high, low] = hexWords(fingerprint)
      return words[start + WORDS.fingerprint] === high && words[start + WORDS.fingerprint + 1] === low
    },
    hasKey: (key) => words[start + WORDS.key] === crc32(key),
  }
}

/** UTC to the second, as sitemaps have it: `2026-11-20T10:00:00Z`. */
export function toSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`
}

function hexWord(digits: string): number {
  return Number.parseInt(digits, 16)
}

function hexWords(digits: string): [number, number] {
  return [hexWord(digits.slice(0, 8)), hexWord(digits.slice(8))]
}

// Two lanes of FNV-1a with different starts, mixed at the end.
function hashPath(path: string): [number, number] {
  let high = 0x811c9dc5
  let low = 0x01000193
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  return [mix(high), mix(low)]
}

function mix(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x45d9f3b)
  return (once ^ (once >>> 16)) >>> 0
}

/** 53 bits of a path's hash: a number that stands for it in sets of many. */
export function pathHash(path: string): number {
  const [high, low] = hashPath(path)
  return (high & 0x1fffff) * 0x100000000 + low
}
