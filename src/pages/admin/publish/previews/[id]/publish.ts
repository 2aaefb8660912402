import type { APIRoute } from 'astro'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { appOf, finish, getAdministrator, readId, refuse } from '#src/admin/kit/page-context.ts'
import type { VersionedFinders } from '#src/admin/publish/describe-edits.ts'
import { listChosenDrafts, useDrafts } from '#src/admin/publish/drafts/use-drafts.ts'
import { changeKey } from '#src/admin/publish/pending-row.ts'
import { addressOfNextEnd } from '#src/admin/publish/publish-end.ts'
import { findVersionedSettings } from '#src/admin/settings/versioned-settings.ts'
import { previewActivity, previewTexts } from '#src/messages/admin/history/previews.ts'
import { readPreviewStates } from '#src/publish/previews/make-preview.ts'
import { findPreview } from '#src/publish/previews/preview-store.ts'

const PREVIEWS = '/admin/publish/previews'

const FINDERS: VersionedFinders = {
  entry: async (context) => (await findVersionedEntry(context))?.versioned,
  setting: findVersionedSettings,
}

/** Publishes exactly what was approved. Approved drafts become the saved versions. */
export const POST: APIRoute = async (context) => {
  const { db, config, publishing } = appOf(context)
  const { id: userId } = getAdministrator(context)
  const asked = await findPreview(db, readId(context.params.id))
  const found = asked ? await publishing.previews.refresh([asked]) : []
  const [preview] = found
  const [known] = await readPreviewStates(db, found, { dataDir: config.dataDir, now: new Date() })
  if (!preview || known?.state !== 'approved')
    return refuse(context, { to: PREVIEWS, text: previewTexts.notApproved })
  // A running publish would combine with this one and include other saved changes.
  if (publishing.isRunning()) return refuse(context, { to: PREVIEWS, text: previewTexts.busy })
  const { id, selected, pagesSha256: pagesHash } = preview
  const drafts = selected?.filter(({ draft }) => draft !== undefined) ?? []
  const keys = drafts.map(changeKey)
  if ((await listChosenDrafts(context, keys)).length < keys.length)
    return refuse(context, { to: PREVIEWS, text: previewTexts.notYourDrafts })
  const refused = await useDrafts(context, keys, FINDERS)
  if (refused.length > 0)
    return refuse(context, { to: PREVIEWS, text: previewTexts.notPublished(refused.join(' ')) })
  const only = selected?.map(({ subject, subjectId }) => ({ subject, subjectId }))
  const to = await addressOfNextEnd(db)
  await publishing.request({ startedBy: 'admin', userId, only, approved: { previewId: id, pagesHash } })
  const change = { action: 'preview.published', id, summary: previewActivity.published } as const
  return finish(context, change, { to, text: previewTexts.started })
}
