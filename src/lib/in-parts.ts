/** Cuts a list into parts of at most `room`, as `sizeOf` measures; an item that is larger is a part of its own. */
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
