import type { APIRoute } from 'astro'
import { z } from 'zod'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse, safeNext } from '#src/admin/kit/page-context.ts'
import { type StatusChange, setEntryStatus } from '#src/entries/editing/set-entry-status.ts'
import { listEntryNames } from '#src/entries/entry-lookup-store.ts'
import { type ContentType, findContentType } from '#src/entries/types/content-type-store.ts'
import { entryListTexts, typeName } from '#src/messages/admin/entries.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

const POSTED = z.object({
  ids: z.array(z.coerce.number().int()).max(500).default([]),
  status: z.enum(['draft', 'published']),
  back: z.string().optional(),
})

/** Publishes the selected entries of a list, or makes them drafts. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const type = await findContentType(db, context.params.type ?? '')
  const posted = await readPosted(context, POSTED)
  if (!type || !posted) return notFound(context)
  const back = safeNext(posted.back)
  if (posted.ids.length === 0) return refuse(context, { to: back, text: entryListTexts.nothingSelected })
  const change = await setEntryStatus(db, { type, ...posted }, savingBy(context))
  const { status, changed, refused } = change
  const names = await listEntryNames(
    db,
    [...changed, ...refused.map(({ entry }) => entry)].map(({ id }) => id),
  )
  const record = { action: `entries.${status}`, id: type.id, summary: describe(type, change, names) } as const
  const kind = refused.length > 0 ? 'error' : 'success'
  return finish(context, changed.length > 0 && record, { to: back, text: message(change, names), kind })
}

type Names = ReadonlyMap<number, string>

function describe(type: ContentType, { status, changed }: StatusChange, names: Names): string {
  const named = changed.slice(0, 10).map(({ id, slug }) => names.get(id) ?? slug)
  const summary = status === 'published' ? entryListTexts.publishedNamed : entryListTexts.unpublishedNamed
  return summary(typeName(type), changed.length, `${named.join(', ')}${changed.length > 10 ? ' …' : ''}`)
}

function message({ status, changed, refused }: StatusChange, names: Names): string {
  const done = status === 'published' ? entryListTexts.published : entryListTexts.unpublished
  const reasons = refused.map(({ entry, problem }) =>
    entryListTexts.refused(names.get(entry.id) ?? entry.slug, describeProblem({ path: [], ...problem })),
  )
  const first = changed.length > 0 || reasons.length > 0 ? done(changed.length) : entryListTexts.unchanged
  return [first, ...reasons.slice(0, 3)].join(' ')
}
