import type { APIRoute } from 'astro'
import { z } from 'zod'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse, safeNext } from '#src/admin/kit/page-context.ts'
import { type StatusChange, setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { type ContentType, findContentType } from '#src/entries/types/content-type-store.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

const POSTED = z.object({
  ids: z.array(z.coerce.number().int()).max(500).default([]),
  status: z.enum(['draft', 'published']),
  back: z.string().optional(),
})

/** Publishes the chosen entries of a list, or makes them drafts. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const type = await findContentType(db, context.params.type ?? '')
  const posted = await readPosted(context, POSTED)
  if (!type || !posted) return notFound(context)
  const back = safeNext(posted.back)
  if (posted.ids.length === 0)
    return refuse(context, { to: back, text: 'Nothing was chosen: tick some entries first.' })
  const change = await setEntryStatus(db, { type, ...posted }, { now: new Date() })
  const { status, changed, refused } = change
  const record = { action: `entries.${status}`, id: type.id, summary: describe(type, change) } as const
  const kind = refused.length > 0 ? 'error' : 'success'
  return finish(context, changed.length > 0 && record, { to: back, text: message(change), kind })
}

function describe({ name }: ContentType, { status, changed }: StatusChange): string {
  const slugs = changed.slice(0, 10).map(({ slug }) => slug)
  const verb = status === 'published' ? 'Published' : 'Made drafts of'
  return `${verb} ${changed.length} of ${name}: ${slugs.join(', ')}${changed.length > 10 ? ' …' : ''}`
}

function message({ status, changed, refused }: StatusChange): string {
  const done = status === 'published' ? 'published' : 'drafts now'
  const count = changed.length === 1 ? '1 entry is' : `${changed.length} entries are`
  const reasons = refused.map(
    ({ entry, problem }) =>
      `"${entry.title || entry.slug}" stays a draft: ${describeProblem({ path: [], ...problem })}`,
  )
  return [`${count} ${done}.`, ...reasons.slice(0, 3)].join(' ')
}
