import type { APIContext } from 'astro'
import type { Db } from '#src/db/schema.ts'
import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { findEntryById, listLongTexts } from '#src/entries/entry-lookup-store.ts'
import { shownText } from '#src/entries/offers/service-text.ts'
import { rulesOf } from '#src/entries/types/builtin/registry.ts'
import { SERVICES } from '#src/entries/types/builtin/slugs.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { previewTexts } from '#src/messages/admin/editing.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { withRendered } from '#src/site/content/lazy-markdown.ts'
import { previewEntry } from '#src/site/preview-entry.ts'
import { renderText } from '../../editing/preview/render-text.ts'
import { showPage } from '../../editing/preview/show-page.ts'
import { readId } from '../../kit/page-context.ts'

type Context = Pick<APIContext, 'locals' | 'rewrite' | 'url'>

/** Up to this length, rendering here is faster than in another thread. */
const LONG_TEXT = 5_000

/** Responds with an entry's page as `input` describes it, saved or not. */
export async function showPreview(
  context: Context,
  draft: { type: ContentType; input: EntryInput; id: number },
): Promise<Response> {
  const { app } = context.locals
  const body = await shownBody(app.db, draft)
  const text = await renderText(app.db, body)
  if (text.kind !== 'rendered')
    return new Response(`${describeProblem({ path: [], code: text.kind })}\n`, { status: 422 })
  const texts = new Map([...(await renderServices(app.db)), [body, text.html] as const])
  return withRendered(texts, async () => {
    const page = await previewEntry(app.db, draft, { siteUrl: app.config.siteUrl, now: new Date() })
    // Not an error, which browsers would report: a new page is empty at first.
    if (!page)
      return new Response(`${previewTexts.incomplete}\n`, { headers: { 'content-type': 'text/plain' } })
    return showPage(context, page)
  })
}

// The text of a local page may include its service's.
async function shownBody(db: Db, { type, input }: { type: ContentType; input: EntryInput }): Promise<string> {
  const { inherits } = rulesOf(type.slug)
  const service = inherits && (await findEntryById(db, readId(String(input.fields.service_entry_id ?? ''))))
  return service ? shownText(input.body, service.body) : input.body
}

// Every page depends on the services, and a place's page on its own text.
async function renderServices(db: Db): Promise<Map<string, string>> {
  const rendered = new Map<string, string>()
  for (const markdown of await listLongTexts(db, SERVICES, { over: LONG_TEXT })) {
    const text = await renderText(db, markdown)
    if (text.kind === 'rendered') rendered.set(markdown, text.html)
  }
  return rendered
}
