import { findUnshowableText } from '../../lib/markdown/lazy-markdown.ts'
import type { Page } from '../../site/pages/page.ts'
import type { RenderPage } from './bundle.ts'

/** The page's HTML. Throws with the page's address, and with what to do when a text of it is the reason. */
export async function renderChecked(renderPage: RenderPage, page: Page): Promise<string> {
  const html = await renderPage(page).catch((error: Error) => {
    const reason = findUnshowableText(page.view) ?? error.message
    throw new Error(`The page ${page.path} cannot be rendered: ${reason}`, { cause: error })
  })
  if (html.trim() === '') throw new Error(`The template of ${page.path} gave an empty page`)
  return html
}
