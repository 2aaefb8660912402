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

const LINK = /\s(?:href|src|action)="(\/[^"#?]*)/g

/** Returns the addresses of this site that a page links to and that aren't in `seen`, and adds them to it. */
export function findLinks(html: string, seen: Set<string>): string[] {
  const links: string[] = []
  for (const [, link = ''] of html.matchAll(LINK)) {
    if (link.startsWith('//') || seen.has(link)) continue
    // A copy, because a slice would keep the whole text in memory.
    const copy = Buffer.from(link).toString()
    seen.add(copy)
    links.push(copy)
  }
  return links
}
