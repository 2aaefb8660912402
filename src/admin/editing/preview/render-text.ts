import type { Db } from '#src/db/schema.ts'
import { mayHoldPictures } from '#src/lib/markdown/markdown.ts'
import { type RenderedText, renderApart } from '#src/lib/markdown/render-apart.ts'
import { listPictures } from '#src/pictures/picture-store.ts'
import { textPictures } from '#src/site/pictures/text-pictures.ts'
import { withUnpublishedPictures } from '../pictures/unpublished-pictures.ts'

/** Renders a text with the pictures of the library, as the site will show it. */
export async function renderText(db: Db, markdown: string): Promise<RenderedText> {
  const pictures = mayHoldPictures(markdown) ? await listPictures(db) : new Map()
  return renderApart(markdown, textPictures(pictures).find)
}

/**
 * Returns a text as HTML for a page of the admin: its headings and links don't count as the page's own. Undefined if
 * it can't be rendered.
 */
export async function renderQuote(db: Db, markdown: string): Promise<string | undefined> {
  const text = await renderText(db, markdown)
  return text.kind === 'rendered' ? withUnpublishedPictures(asQuote(text.html)) : undefined
}

function asQuote(html: string): string {
  return html
    .replaceAll(/<h([2-4])>/g, '<p data-heading="$1">')
    .replaceAll(/<\/h[2-4]>/g, '</p>')
    .replaceAll(/<a(?: [^>]*)?>/g, '<u>')
    .replaceAll('</a>', '</u>')
}
