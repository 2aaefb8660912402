interface Destination {
  name: string
  url: string
  method: string
}

/**
 * Finds the stored webhook for each of these, first by name, then by destination, so that a renamed webhook keeps its
 * queue and history. Several webhooks with one name are told apart by destination, then matched in order: the pending
 * deliveries and secrets of one must not go to another.
 */
export function matchWebhooks<Given extends Destination, Stored extends Destination>(
  given: readonly Given[],
  stored: readonly Stored[],
): Map<Given, Stored> {
  const matches = new Map<Given, Stored>()
  const free = new Set(stored)
  const match = (isSame: (one: Given, other: Stored) => boolean) => {
    for (const webhook of given.filter((one) => !matches.has(one))) {
      const found = [...free].find((candidate) => isSame(webhook, candidate))
      if (!found) continue
      matches.set(webhook, found)
      free.delete(found)
    }
  }
  const hasSameName = (one: Given, other: Stored) => one.name === other.name
  const isSamePlace = (one: Given, other: Stored) => one.url === other.url && one.method === other.method
  match((one, other) => hasSameName(one, other) && isSamePlace(one, other))
  match(hasSameName)
  match(isSamePlace)
  return matches
}
