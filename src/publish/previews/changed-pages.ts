import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf } from '../../lib/in-parts.ts'
import type { PageChange } from '../plan/plan-release.ts'
import { withTitles } from './page-titles.ts'

/** A page that differs. */
export interface ChangedPage extends Pick<PageChange, 'change' | 'path' | 'key'> {
  /** HTML. Files other than pages have none. */
  title?: string | undefined
}

/** Maximum number of changed pages in a list. Each request reads one list. */
export const PAGES_LISTED = 500

// Addresses of a site never begin like this.
const FOLDER = '.changed-pages'

/** Writes the lists after the first, which the preview's row has. */
export async function writeLaterLists(siteDir: string, changes: readonly ChangedPage[]): Promise<void> {
  const [, ...later] = [...chunksOf(changes, PAGES_LISTED)]
  if (later.length === 0) return
  await mkdir(join(siteDir, FOLDER), { recursive: true })
  for (const [index, list] of later.entries())
    await writeFile(listFile(siteDir, index + 2), JSON.stringify(list))
}

/** Reads the list with this number, from 2; undefined if there is none. A removed page has its title on the live site. */
export async function readLaterList(
  siteDir: string,
  number: number,
  liveDir: string | undefined,
): Promise<ChangedPage[] | undefined> {
  const json = await readFile(listFile(siteDir, number), 'utf8').catch(() => undefined)
  if (json === undefined) return undefined
  return withTitles(JSON.parse(json) as ChangedPage[], liveDir === undefined ? [siteDir] : [siteDir, liveDir])
}

function listFile(siteDir: string, number: number): string {
  return join(siteDir, FOLDER, `${number}.json`)
}
