import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { previewActivity, previewFailures } from '../../messages/admin/history/previews.ts'
import { loadPending } from '../../publish/pending/pending-changes.ts'
import { findPreview } from '../../publish/previews/preview-store.ts'
import { recordChange } from '../audit/record-change.ts'
import { readPosted } from '../kit/admin-form.ts'
import { appOf, getAdministrator, refuse } from '../kit/page-context.ts'
import { changeKey } from './pending-row.ts'

const posted = z.object({ changes: z.array(z.string()).default([]) })

/** Makes a preview of the selected changes, or of all, and returns its link, or the response that refuses it. */
export async function receivePreview(astro: AstroGlobal): Promise<{ id: number; link: string } | Response> {
  const { db, config, publishing } = appOf(astro)
  const { dataDir, siteUrl } = config
  const wanted = new Set((await readPosted(astro, posted))?.changes ?? [])
  const now = new Date()
  const pending = wanted.size === 0 ? undefined : await loadPending(db, { dataDir, now })
  const selected = pending?.changes.filter((change) => wanted.has(changeKey(change)))
  const only = selected?.map(({ subject, subjectId }) => ({ subject, subjectId }))
  const to = '/admin/publish/previews'
  if (wanted.size > 0 && !only?.length) return refuse(astro, { to, text: previewFailures.nothing })
  const { email: madeBy } = getAdministrator(astro)
  const { id, token } = await publishing.previews.make({ madeBy, only })
  const failure = (await findPreview(db, id))?.failureMessage
  if (failure) return refuse(astro, { to, text: failure })
  await recordChange(astro, { action: 'preview.made', id, summary: previewActivity.made })
  astro.response.headers.set('cache-control', 'no-store')
  return { id, link: new URL(`/api/previews/${token}`, siteUrl).href }
}
