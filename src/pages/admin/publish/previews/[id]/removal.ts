import type { APIRoute } from 'astro'
import { appOf, finish, readId, refuse } from '#src/admin/kit/page-context.ts'
import { previewActivity, previewTexts } from '#src/messages/admin/history/previews.ts'
import { removePreview } from '#src/publish/previews/preview-folder.ts'
import { endPreview, findPreview } from '#src/publish/previews/preview-store.ts'

const to = '/admin/publish/previews'

/** Ends a preview link and deletes its files. */
export const POST: APIRoute = async (context) => {
  const { db, publishing } = appOf(context)
  const id = readId(context.params.id)
  const preview = await findPreview(db, id)
  if (!preview || !(await endPreview(db, id, { now: new Date() })))
    return refuse(context, { to, text: previewTexts.wasEnded })
  await removePreview(publishing.place, preview.tokenSha256)
  const change = { action: 'preview.ended', id, summary: previewActivity.ended } as const
  return finish(context, change, { to, text: previewTexts.isEnded })
}
