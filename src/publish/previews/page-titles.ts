import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pageFile } from '../release/page-file.ts'

const TITLE = /<title>([^<]*)<\/title>/
const AT_ONCE = 16

/** Returns the pages with the HTML of their titles, from the first folder that has the page. */
export async function withTitles<T extends { path: string }>(
  pages: readonly T[],
  folders: readonly string[],
): Promise<(T & { title?: string })[]> {
  const titled: (T & { title?: string })[] = []
  for (let start = 0; start < pages.length; start += AT_ONCE) {
    const part = pages.slice(start, start + AT_ONCE)
    titled.push(...(await Promise.all(part.map((page) => withTitle(page, folders)))))
  }
  return titled
}

async function withTitle<T extends { path: string }>(page: T, folders: readonly string[]) {
  for (const folder of folders) {
    const html = await readFile(join(folder, pageFile(page.path)), 'utf8').catch(() => '')
    const title = TITLE.exec(html)?.[1]
    if (title) return { ...page, title }
  }
  return page
}
