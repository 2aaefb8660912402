import { pathHash } from '../plan/page-index.ts'

const LINK = /\s(?:href|src|action)="(\/[^"#?]*)/g

/** The addresses of this site that a page refers to and that were not seen before; `seen` learns them. */
export function findLinks(html: string, seen: Set<number>): string[] {
  const links: string[] = []
  for (const [, link = ''] of html.matchAll(LINK)) {
    if (link.startsWith('//')) continue
    const hash = pathHash(link)
    if (seen.has(hash)) continue
    seen.add(hash)
    links.push(link)
  }
  return links
}
