/** Rows of a statement: SQLite takes 32,766 values. */
const ROWS_PER_STATEMENT = 500

/** Cuts items into lists of at most so many. */
export function* chunksOf<Item>(items: Iterable<Item>, size = ROWS_PER_STATEMENT): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
