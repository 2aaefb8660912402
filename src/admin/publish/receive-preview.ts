import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { previewActivity, previewFailures, previewTexts } from '../../messages/admin/history/previews.ts'
import { loadPending } from '../../publish/pending/pending-changes.ts'
import { findPreview } from '../../publish/previews/preview-store.ts'
import { adminCookie } from '../access/admin-cookie.ts'
import { recordChange } from '../audit/record-change.ts'
import { readPosted } from '../kit/admin-form.ts'
import { seeOther } from '../kit/flash.ts'
import { appOf, getAdministrator, refuse } from '../kit/page-context.ts'
import { describeEdits, type VersionedFinders } from './describe-edits.ts'
import { useDrafts } from './drafts/use-drafts.ts'
import { changeKey } from './pending-row.ts'

const posted = z.object({
  changes: z.array(z.string()).default([]),
  drafts: z.array(z.string()).default([]),
})

const PREVIEWS = '/admin/publish/previews'

// The database has only its hash.
const newToken = adminCookie('preview', { maxAgeSeconds: 60 })

/**
 * Makes a preview of the selected changes, or of all, and redirects to the page that shows its link once. Selected
 * drafts are added to the next publish first.
 */
export async function receivePreview(astro: AstroGlobal, finders: VersionedFinders): Promise<Response> {
  const { db, config, publishing } = appOf(astro)
  const { changes: keys = [], drafts = [] } = (await readPosted(astro, posted)) ?? {}
  const refused = await useDrafts(astro, drafts, finders)
  if (refused.length > 0)
    return refuse(astro, { to: PREVIEWS, text: previewTexts.notIncluded(refused.join(' ')) })
  const wanted = new Set(keys)
  const now = new Date()
  const pending = await loadPending(db, { dataDir: config.dataDir, now })
  const { changes = [], hasMore = false } = pending ?? {}
  const selected = wanted.size === 0 ? undefined : changes.filter((change) => wanted.has(changeKey(change)))
  const only = selected?.map(({ subject, subjectId }) => ({ subject, subjectId }))
  if (wanted.size > 0 && !only?.length) return refuse(astro, { to: PREVIEWS, text: previewFailures.nothing })
  const { email: madeBy } = getAdministrator(astro)
  const edits = await describeEdits(astro, selected ?? changes, finders)
  const hasMoreEdits = hasMore && !selected
  const { id, token } = await publishing.previews.make({ madeBy, only, edits, hasMoreEdits })
  const failure = (await findPreview(db, id))?.failureMessage
  if (failure) return refuse(astro, { to: PREVIEWS, text: failure })
  await recordChange(astro, { action: 'preview.made', id, summary: previewActivity.made })
  newToken.set(astro, token)
  return seeOther(PREVIEWS)
}

/** Returns the link that was just made, once; undefined afterwards. */
export function takeNewLink(astro: AstroGlobal): string | undefined {
  const token = newToken.read(astro)
  if (token === undefined) return undefined
  newToken.clear(astro)
  astro.response.headers.set('cache-control', 'no-store')
  return new URL(`/api/previews/${token}`, appOf(astro).config.siteUrl).href
}
