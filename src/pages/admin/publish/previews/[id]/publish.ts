import type { APIRoute } from 'astro'
import { appOf, finish, getAdministrator, readId, refuse } from '#src/admin/kit/page-context.ts'
import { addressOfNextEnd } from '#src/admin/publish/publish-end.ts'
import { previewActivity, previewTexts } from '#src/messages/admin/history/previews.ts'
import { readPreviewStates } from '#src/publish/previews/make-preview.ts'
import { findPreview } from '#src/publish/previews/preview-store.ts'

const PREVIEWS = '/admin/publish/previews'

/** Publishes exactly what was approved. */
export const POST: APIRoute = async (context) => {
  const { db, config, publishing } = appOf(context)
  const { id: userId } = getAdministrator(context)
  const preview = await findPreview(db, readId(context.params.id))
  const found = preview ? [preview] : []
  const [known] = await readPreviewStates(db, found, { dataDir: config.dataDir, now: new Date() })
  if (!preview || known?.state !== 'approved')
    return refuse(context, { to: PREVIEWS, text: previewTexts.notApproved })
  // A running publish would combine with this one and include other saved changes.
  if (publishing.isRunning()) return refuse(context, { to: PREVIEWS, text: previewTexts.busy })
  const { id, selected: only, pagesSha256: pagesHash } = preview
  const to = await addressOfNextEnd(db)
  publishing.request({ startedBy: 'admin', userId, only, approved: { previewId: id, pagesHash } })
  const change = { action: 'preview.published', id, summary: previewActivity.published } as const
  return finish(context, change, { to, text: previewTexts.started })
}
