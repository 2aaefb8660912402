/** Maximum number of rows in a statement: SQLite takes 32,766 values. */
const ROWS_PER_STATEMENT = 500

/** Cuts items into lists of at most this length. */
export function* chunksOf<Item>(items: Iterable<Item>, size = ROWS_PER_STATEMENT): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Cuts a list into parts of at most `room`, as `sizeOf` measures; a larger item is a part of its own. */
export function inParts<Item>(
  items: readonly Item[],
  { room, sizeOf }: { room: number; sizeOf: (item: Item) => number },
): Item[][] {
  const parts: Item[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (parts.length === 0 || left < size) {
      parts.push([])
      left = room
    }
    parts.at(-1)?.push(item)
    left -= size
  }
  return parts
}
