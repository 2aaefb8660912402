import type { APIRoute } from 'astro'
import { z } from 'zod'
import { nameColleague } from '#src/admin/access/name-colleague.ts'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, getAdministrator, notFound } from '#src/admin/kit/page-context.ts'
import { listOtherEditors, noteEditor, noteLeaving } from '#src/entries/editing/entry-editor-store.ts'

const POSTED = z.object({ act: z.enum(['open', 'leave']) })

/** Notes that the editor of an entry is open or left, and answers who else has it open. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const { id: userId } = getAdministrator(context)
  const posted = await readPosted(context, POSTED)
  const versioned = await findVersionedEntry(context)
  if (!posted || !versioned) return notFound(context)
  const editor = { entryId: versioned.entry.id, userId }
  const clock = { now: new Date() }
  if (posted.act === 'leave') {
    await noteLeaving(db, editor, clock)
    return new Response(null, { status: 204 })
  }
  await noteEditor(db, editor, clock)
  const others = await listOtherEditors(db, editor, clock)
  return Response.json(
    others.map(({ name, email, since }) => ({ name: callColleague(context, { name, email }), since })),
  )
}

function callColleague(
  context: Parameters<typeof nameColleague>[0],
  { name, email }: { name: string | null; email: string },
): string {
  const shown = nameColleague(context, email)
  return shown === email ? (name ?? email) : shown
}
