/** The posted order of a list. */
export interface PostedOrder {
  /** Every name. */
  all: readonly string[]
  /** The position entered for each name. */
  place: readonly string[]
  /** The ticked names. */
  shown: readonly string[]
}

const OFF = '-'

/** Returns the names sorted by position; names with the same number keep their order. */
export function readOrder({ all, place }: Omit<PostedOrder, 'shown'>): string[] {
  const numbered = all.map((name, index) => ({ name, place: Number(place[index]) || 0 }))
  return numbered.toSorted((one, other) => one.place - other.place).map(({ name }) => name)
}

/**
 * Returns the ticked names sorted by position. The others are among them, each with a minus sign, if `wholeOrder`
 * would put one of them in another place.
 */
export function readChoice(posted: PostedOrder, usual: readonly string[]): string[] {
  const whole = readOrder(posted)
  const chosen = whole.filter((name) => posted.shown.includes(name))
  const isUsual = wholeOrder(chosen, usual).join() === whole.join()
  return isUsual ? chosen : whole.map((name) => (chosen.includes(name) ? name : turnedOff(name)))
}

/** Returns a name as it is stored while it is turned off, such as `-faq`. */
export function turnedOff(name: string): string {
  return OFF + name
}

/** Returns whether a stored name is turned off and only keeps its place. */
export function isTurnedOff(stored: string): boolean {
  return stored.startsWith(OFF)
}

/** Returns a stored name without the sign of being turned off. */
export function bareName(stored: string): string {
  return isTurnedOff(stored) ? stored.slice(OFF.length) : stored
}

/** Returns all names in display order. A name that isn't stored follows the one that precedes it in `all`. */
export function wholeOrder(stored: readonly string[], all: readonly string[]): string[] {
  return all.reduce<string[]>((order, name, index) => {
    if (order.includes(name)) return order
    const before = all[index - 1]
    return order.toSpliced(before === undefined ? 0 : order.indexOf(before) + 1, 0, name)
  }, stored.map(bareName))
}
