import type { APIContext } from 'astro'
import type { Page } from '#src/site/pages/page.ts'
import { withUnpublishedPictures } from '../pictures/unpublished-pictures.ts'

/** Responds with a page that isn't on the site, without scripts. `finish` changes its HTML. */
export async function showPage(
  context: Pick<APIContext, 'locals' | 'rewrite' | 'url'>,
  page: Page,
  finish = (html: string) => html,
): Promise<Response> {
  context.locals.page = page
  const rendered = await context.rewrite(new Request(new URL('/preview', context.url)))
  const html = withUnpublishedPictures(withoutScripts(await rendered.text()))
  return new Response(finish(html), { headers: { 'content-type': 'text/html' } })
}

// Forms in the preview must not be sent by people or scripts: the frame's sandbox would block them with console
// errors.
function withoutScripts(html: string): string {
  return html.replace(/<script\b[^>]*\bsrc=[^>]*><\/script>/g, '')
}
