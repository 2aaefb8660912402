const NONE = -1
// A slot holds a shingle's hash and the first two texts that contain it, side by side in memory.
const SLOT = 4
const FIRST = 1
const SECOND = 2

export interface Overlap {
  /** Share of the text that also appears elsewhere, from 0 to 1. */
  share: number
  /** The text that shares the most with it; undefined if none shares anything. */
  twin: number | undefined
}

/**
 * Finds, for each text, how much of it also appears in others. Each text is given as the distinct hashes of its
 * shingles. With one table of all shingles, a single pass is enough.
 */
export function findOverlaps(texts: readonly Uint32Array[]): Overlap[] {
  const count = texts.reduce((sum, hashes) => sum + hashes.length, 0)
  const table = emptyTable(count)
  for (let text = 0; text < texts.length; text++) {
    const hashes = texts[text] as Uint32Array
    for (let index = 0; index < hashes.length; index++) insert(table, hashes[index] as number, text)
  }
  return texts.map((hashes, text) => overlapOf(table, text, hashes))
}

// Between two and four slots per shingle, a power of two: a mask finds the slot, and there is always a free one.
function emptyTable(count: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(Math.max(2, count * 2))) * SLOT).fill(NONE)
}

function insert(table: Int32Array, hash: number, text: number) {
  const slot = slotOf(table, hash)
  if (table[slot + FIRST] === NONE) {
    table[slot] = hash
    table[slot + FIRST] = text
  } else if (table[slot + SECOND] === NONE) table[slot + SECOND] = text
}

/** Returns the slot of the hash, or else a free slot for it. */
function slotOf(table: Int32Array, hash: number): number {
  const wanted = hash | 0
  const mask = table.length / SLOT - 1
  let slot = hash & mask
  while (table[slot * SLOT + FIRST] !== NONE && table[slot * SLOT] !== wanted) slot = (slot + 1) & mask
  return slot * SLOT
}

function overlapOf(table: Int32Array, text: number, hashes: Uint32Array): Overlap {
  const votes = new Map<number, number>()
  let shared = 0
  for (let index = 0; index < hashes.length; index++) {
    const other = otherText(table, hashes[index] as number, text)
    if (other === NONE) continue
    shared++
    votes.set(other, (votes.get(other) ?? 0) + 1)
  }
  return { share: shared === 0 ? 0 : shared / hashes.length, twin: mostVoted(votes) }
}

function otherText(table: Int32Array, hash: number, text: number): number {
  const slot = slotOf(table, hash)
  const first = table[slot + FIRST] as number
  return first === text ? (table[slot + SECOND] as number) : first
}

function mostVoted(votes: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined
  let most = 0
  for (const [text, count] of votes) {
    if (count < most || (count === most && best !== undefined && text > best)) continue
    best = text
    most = count
  }
  return best
}
