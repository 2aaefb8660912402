import { Failure } from '../../lib/messages.ts'
import { ownComponentFailures } from '../../messages/server/own-components.ts'

// More would be a page of many megabytes; components that show each other reach it in a second and with 200 MB.
const MOST = 10_000

const counts = new WeakMap<object, Map<string, number>>()

/**
 * Counts a site's own component on the page with these locals. Throws with the files of components that show each other
 * without end, which would use up all memory. A tree that ends may show itself.
 */
export function countShown(page: object, file: string): void {
  const shown = counts.get(page) ?? new Map<string, number>()
  const count = (shown.get(file) ?? 0) + 1
  counts.set(page, shown.set(file, count))
  if (count <= MOST) return
  const circle = [...shown].filter(([, other]) => other > MOST / 10).map(([name]) => name)
  throw new Failure(ownComponentFailures, 'shownTooOften', file, MOST, [...circle, circle[0]].join(' → '))
}
