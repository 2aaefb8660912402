import type { Db } from '../../db/schema.ts'
import { findPlaceOfPage } from '../../site/pages/place-of-page.ts'
import { findPublishedKey } from '../../site/pages/published-key-store.ts'
import { placeKey, serviceKey } from '../../submissions/results/result-keys.ts'

const KEPT_PAGES = 20_000
const KEPT_MS = 600_000

/** Finds the subject of a page; undefined when none was published at that path. */
export type FindPage = (path: string) => Promise<{ service: string; place: string } | undefined>

/** Finds pages, each at most once in ten minutes. */
export function createPageFinder(db: Db, { now }: { now: () => Date }): FindPage {
  const known = new Map<string, ReturnType<FindPage>>()
  let since = now().getTime()

  async function find(path: string) {
    if ((await findPublishedKey(db, path)) === undefined) return undefined
    const about = await findPlaceOfPage(db, path)
    return { service: serviceKey(about), place: placeKey(about) }
  }

  return (path) => {
    const at = now().getTime()
    if (known.size >= KEPT_PAGES || Math.abs(at - since) > KEPT_MS) {
      known.clear()
      since = at
    }
    const page = known.get(path) ?? find(path)
    known.set(path, page)
    page.catch(() => known.delete(path))
    return page
  }
}
