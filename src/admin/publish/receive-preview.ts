import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { previewActivity, previewTexts } from '../../messages/admin/history/previews.ts'
import { loadPending } from '../../publish/pending/pending-changes.ts'
import { makePreview } from '../../publish/previews/make-preview.ts'
import { recordChange } from '../audit/record-change.ts'
import { readPosted } from '../kit/admin-form.ts'
import { appOf, getAdministrator, refuse } from '../kit/page-context.ts'
import { changeKey } from './pending-row.ts'

const posted = z.object({ changes: z.array(z.string()).default([]) })

/** Makes a preview of the selected changes, or of all of them, and returns its link, or the answer that refuses. */
export async function receivePreview(astro: AstroGlobal): Promise<{ link: string } | Response> {
  const { db, config, publishing } = appOf(astro)
  const { dataDir, siteUrl } = config
  const wanted = new Set((await readPosted(astro, posted))?.changes ?? [])
  const now = new Date()
  const pending = wanted.size === 0 ? undefined : await loadPending(db, { dataDir, now })
  const selected = pending?.changes.filter((change) => wanted.has(changeKey(change)))
  const only = selected?.map(({ subject, subjectId }) => ({ subject, subjectId }))
  const to = '/admin/publish/previews'
  if (wanted.size > 0 && !only?.length) return refuse(astro, { to, text: previewTexts.nothing })
  const { email: madeBy } = getAdministrator(astro)
  const { preview: stage, place } = publishing
  const made = await makePreview(db, { madeBy, only, stage, place, now }).catch((error: Error) => error)
  if (made instanceof Error) return refuse(astro, { to, text: previewTexts.failed(made.message) })
  if (!made) return refuse(astro, { to, text: previewTexts.nothing })
  await recordChange(astro, { action: 'preview.made', id: made.id, summary: previewActivity.made })
  astro.response.headers.set('cache-control', 'no-store')
  return { link: new URL(`/api/previews/${made.token}`, siteUrl).href }
}
