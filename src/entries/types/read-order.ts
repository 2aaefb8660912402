/** The posted order of a list. */
export interface PostedOrder {
  /** Every name. */
  all: readonly string[]
  /** The number of each name's place. */
  place: readonly string[]
  /** The names that are ticked. */
  shown: readonly string[]
}

/** Returns the ticked names by the numbers of their places; names with the same number stay as they came. */
export function readOrder({ all, place, shown }: PostedOrder): string[] {
  const numbered = all.map((name, index) => ({ name, place: Number(place[index]) || 0 }))
  const inOrder = numbered.toSorted((one, other) => one.place - other.place)
  return inOrder.map(({ name }) => name).filter((name) => shown.includes(name))
}

/** Returns every name in the order in which a form shows them: the chosen ones first. */
export function wholeOrder(chosen: readonly string[], all: readonly string[]): string[] {
  return [...chosen, ...all.filter((name) => !chosen.includes(name))]
}
