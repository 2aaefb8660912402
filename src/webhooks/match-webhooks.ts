interface Destination {
  name: string
  url: string
  method: string
}

/**
 * Which stored webhook each of these is: by name (the first of a name with the first), and what is left by its
 * destination: a renamed webhook keeps its queue and its history.
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
  match((one, other) => one.name === other.name)
  match((one, other) => one.url === other.url && one.method === other.method)
  return matches
}
