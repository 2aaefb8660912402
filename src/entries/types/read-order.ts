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

/** Returns all names in display order. A name that isn't chosen follows the one that precedes it in `all`. */
export function wholeOrder(chosen: readonly string[], all: readonly string[]): string[] {
  return all.reduce<string[]>(
    (order, name, index) => {
      if (order.includes(name)) return order
      const before = all[index - 1]
      return order.toSpliced(before === undefined ? 0 : order.indexOf(before) + 1, 0, name)
    },
    [...chosen],
  )
}
