import type { Db } from '../../db/schema.ts'
import type { PageAddress } from '../../site/pages/page.ts'
import { type PublishedAddress, streamPublishedAddresses } from './published-address-store.ts'

/** An address without a page: its current target, or null if the page is gone for good. */
export interface MovedAddress {
  path: string
  to: string | null
}

interface SettledAddresses {
  /** Sorted. */
  moved: MovedAddress[]
  /** Addresses in this release that the database doesn't have yet. */
  unrecorded: PublishedAddress[]
}

/** The addresses of a release's pages, collected while they are listed. */
export function createPageAddresses() {
  const live: PublishedAddress[] = []
  const positions = new Map<string, number>()
  const named = new Map<string, string>()
  const implied = new Map<string, string>()

  async function compare(db: Db) {
    const isRecorded = new Uint8Array(live.length)
    const left = new Map<string, string>()
    const sort = ({ path, key }: PublishedAddress) => {
      const position = positions.get(path)
      if (position === undefined) left.set(path, key)
      else if (live[position]?.key === key) isRecorded[position] = 1
    }
    for await (const batch of streamPublishedAddresses(db)) batch.forEach(sort)
    for (const [path, key] of named) if (!positions.has(path)) left.set(path, key)
    return { left, unrecorded: live.filter((_, position) => isRecorded[position] === 0) }
  }

  function pathsOf(keys: ReadonlySet<string>): Map<string, string> {
    return new Map(live.filter(({ key }) => keys.has(key)).map(({ path, key }) => [key, path]))
  }

  return {
    note({ path, key, formerPaths = [], impliedPaths = [] }: PageAddress): void {
      positions.set(path, live.length)
      live.push({ path, key })
      for (const former of formerPaths) if (!named.has(former)) named.set(former, key)
      for (const former of impliedPaths) if (!implied.has(former)) implied.set(former, key)
    },
    /**
     * Compares them with every address ever published. An address belongs to the last page that had it and redirects
     * straight to that page's current address: there are no chains or loops, and an address that its page has again
     * doesn't redirect. A former address listed by a page redirects to that page, even if another page had it. An
     * implied address redirects to its page only if no other existing page had it.
     */
    async settle(db: Db): Promise<SettledAddresses> {
      const { left, unrecorded } = await compare(db)
      const paths = pathsOf(new Set([...left.values(), ...implied.values()]))
      for (const [path, key] of implied)
        if (!positions.has(path) && !paths.has(left.get(path) ?? '')) left.set(path, key)
      const moved = [...left].map(([path, key]) => ({ path, to: paths.get(key) ?? null }))
      moved.sort((a, b) => (a.path < b.path ? -1 : 1))
      return { moved, unrecorded }
    },
  }
}
