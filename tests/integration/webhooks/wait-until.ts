const INTERVAL_MS = 5
const PATIENCE_MS = 60_000

/** Resolves as soon as `look` finds something; rejects with what was expected when it does not in a minute. */
export async function waitUntil<Found>(
  what: string,
  look: () => Promise<Found | undefined | false>,
): Promise<Found> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
  }
  throw new Error(`Waited in vain for: ${what}`)
}
