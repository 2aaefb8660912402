import type { APIRoute } from 'astro'
import { appOf, readId } from '#src/admin/kit/page-context.ts'
import { liveState } from '#src/admin/publish/live-state.ts'
import { previewTexts } from '#src/messages/admin/history/previews.ts'
import { findPreview } from '#src/publish/previews/preview-store.ts'
import { readPreviewProgress } from '#src/publish/render/progress-file.ts'

/** Returns the progress of a preview, for the page's script. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { db, config, publishing } = appOf({ locals })
  const preview = await findPreview(db, readId(params.id))
  if (!preview) return new Response(null, { status: 404 })
  const { readyAt, failureMessage, endedAt } = preview
  const isFirst = readyAt === null && failureMessage === null && endedAt === null
  const isMaking = isFirst || publishing.previews.isRefreshing(preview.id)
  const state = liveState(isMaking ? readPreviewProgress(config.dataDir, preview.tokenSha256) : undefined, {
    isPublishing: isMaking,
    isLooking: false,
  })
  const phase = isMaking ? state.phase : (failureMessage ?? previewTexts.ready)
  return Response.json({ ...state, phase }, { headers: { 'cache-control': 'no-store' } })
}
