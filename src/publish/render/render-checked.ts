import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import { findUnshowableText } from '../../site/content/lazy-markdown.ts'
import type { Page } from '../../site/pages/page.ts'
import type { RenderPage } from './bundle.ts'

/**
 * Returns the page's HTML. Throws with the page's address and, if one of its texts is the reason, with what to do.
 */
export async function renderChecked(renderPage: RenderPage, page: Page, shown: Set<string>): Promise<string> {
  const html = await renderPage(page, shown).catch((error: Error) => {
    const reason = findUnshowableText(page.view) ?? error.message
    throw new Error(publishFailures.pageFailed(page.path, reason), { cause: error })
  })
  if (html.trim() === '') throw new Failure(publishFailures, 'pageEmpty', page.path)
  return html
}

const ADDRESS_START = '="/'
const LINK_NAME = /\s(?:href|src|action)$/
const LONGEST_NAME = 7
const ADDRESS_END = /["#?]/g

/** Returns the addresses of this site that a page links to and that aren't in `seen`, and adds them to it. */
export function findLinks(html: string, seen: Set<string>): string[] {
  const links: string[] = []
  // Several times as fast as one pattern over the whole text.
  for (let at = html.indexOf(ADDRESS_START); at >= 0; at = html.indexOf(ADDRESS_START, at + 1)) {
    if (!LINK_NAME.test(html.slice(Math.max(0, at - LONGEST_NAME), at))) continue
    ADDRESS_END.lastIndex = at + 2
    const link = html.slice(at + 2, ADDRESS_END.exec(html)?.index)
    if (link.startsWith('//') || seen.has(link)) continue
    // A copy, because a slice would keep the whole text in memory.
    const copy = Buffer.from(link).toString()
    seen.add(copy)
    links.push(copy)
  }
  return links
}
