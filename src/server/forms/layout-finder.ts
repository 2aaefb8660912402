import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import { type LayoutView, loadLayoutView } from '../../site/pages/layout-view.ts'
import { publishedBrand } from './published-brand.ts'

const SOON_MS = 300

/** Finds the layout of pages rendered on demand. */
export interface LayoutFinder {
  find(): Promise<LayoutView>
  /** Returns the last page's layout if the database does not respond; throws if there is none within 300 ms. */
  findSoon(): Promise<LayoutView>
}

export function createLayoutFinder(
  db: Db,
  { siteUrl, dataDir }: { siteUrl: string; dataDir: string },
): LayoutFinder {
  let last: LayoutView | undefined

  async function find() {
    const layout = await loadLayoutView(db, { siteUrl })
    last = { ...layout, ...publishedBrand(dataDir, layout, last) }
    return last
  }

  return {
    find,
    async findSoon() {
      const late = delay(SOON_MS, undefined, { ref: false })
      const layout = last ?? (await Promise.race([find(), late]))
      if (layout) return layout
      throw new Error('The layout was not found in time')
    },
  }
}
