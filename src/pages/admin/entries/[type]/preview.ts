import type { APIRoute } from 'astro'
import { readFormData } from '#src/admin/kit/admin-form.ts'
import { getAdministrator, readId } from '#src/admin/kit/page-context.ts'
import type { Db } from '#src/db/schema.ts'
import { readEntryInput } from '#src/entries/editing/entry-input.ts'
import { listLongTexts } from '#src/entries/entry-lookup-store.ts'
import { SERVICES } from '#src/entries/types/builtin/slugs.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { toPosted } from '#src/entries/types/posted-fields.ts'
import { mayHoldPictures } from '#src/lib/markdown/markdown.ts'
import { renderApart } from '#src/lib/markdown/render-apart.ts'
import { slugOf } from '#src/lib/slug.ts'
import { previewTexts } from '#src/messages/admin/entries.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { withRendered } from '#src/site/content/lazy-markdown.ts'
import { listPictures } from '#src/site/pictures/picture-store.ts'
import { textPictures } from '#src/site/pictures/text-pictures.ts'
import { previewEntry } from '#src/site/preview-entry.ts'

/** What is shorter is rendered faster than it is handed over. */
const LONG_TEXT = 5_000

/** The page of an entry as the editor's form describes it, saved or not. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const { app } = context.locals
  const type = await findContentType(app.db, context.params.type ?? '')
  if (!type) return new Response(`${previewTexts.unknownType}\n`, { status: 404 })
  const posted = toPosted(await readFormData(context.request))
  const id = readId(posted.get('entry_id')?.[0])
  const input = readEntryInput(type, posted)
  const draft = { type, input: { ...input, slug: input.slug || slugOf(input.title) }, id }
  const text = await renderText(app.db, input.body)
  if (text.kind !== 'rendered')
    return new Response(`${describeProblem({ path: [], code: text.kind })}\n`, { status: 422 })
  const texts = new Map([...(await renderServices(app.db)), [input.body, text.html] as const])
  return withRendered(texts, async () => {
    const page = await previewEntry(app.db, draft, { siteUrl: app.config.siteUrl, now: new Date() })
    if (!page) return new Response(`${previewTexts.incomplete}\n`, { status: 422 })
    context.locals.page = page
    const rendered = await context.rewrite(new Request(new URL('/preview', context.url)))
    return new Response(withoutScripts(await rendered.text()), { headers: { 'content-type': 'text/html' } })
  })
}

// Every page knows what the services say, and a place shows the text of its own.
async function renderServices(db: Db): Promise<Map<string, string>> {
  const rendered = new Map<string, string>()
  for (const markdown of await listLongTexts(db, SERVICES, { over: LONG_TEXT })) {
    const text = await renderText(db, markdown)
    if (text.kind === 'rendered') rendered.set(markdown, text.html)
  }
  return rendered
}

async function renderText(db: Db, markdown: string) {
  const pictures = mayHoldPictures(markdown) ? await listPictures(db) : new Map()
  return renderApart(markdown, textPictures(pictures).find)
}

// Its forms must not be sent, by hand or by script: the frame's sandbox would stop them with errors in the console.
function withoutScripts(html: string): string {
  return html.replace(/<script\b[^>]*\bsrc=[^>]*><\/script>/g, '')
}
