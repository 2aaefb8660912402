/** The posted order of a list. */
export interface PostedOrder {
  /** Every name. */
  all: readonly string[]
  /** The position entered for each name. */
  place: readonly string[]
  /** The ticked names. */
  shown: readonly string[]
}

/** Returns the ticked names sorted by position; names with the same number keep their order. */
export function readOrder({ all, place, shown }: PostedOrder): string[] {
  const numbered = all.map((name, index) => ({ name, place: Number(place[index]) || 0 }))
  const inOrder = numbered.toSorted((one, other) => one.place - other.place)
  return inOrder.map(({ name }) => name).filter((name) => shown.includes(name))
}

/** Returns all names in display order: selected ones first. */
export function wholeOrder(chosen: readonly string[], all: readonly string[]): string[] {
  return [...chosen, ...all.filter((name) => !chosen.includes(name))]
}
