import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { pendingTexts } from '../../messages/admin/history/pending.ts'
import type { PendingChange } from '../../publish/pending/pending-changes.ts'
import { readPosted } from '../kit/admin-form.ts'
import { appOf, finish, getAdministrator, refuse } from '../kit/page-context.ts'
import { changeKey } from './pending-row.ts'
import { addressOfNextEnd } from './publish-end.ts'

const selection = z.object({ changes: z.array(z.string()).default([]) })

/** Reads the selected changes and starts publishing them. */
export async function receiveSelection(
  astro: AstroGlobal,
  changes: readonly PendingChange[],
): Promise<Response> {
  const posted = await readPosted(astro, selection)
  const wanted = new Set(posted?.changes ?? [])
  if (wanted.size === 0) return refuse(astro, { to: astro.url.pathname, text: pendingTexts.nothingSelected })
  const selected = changes.filter((change) => wanted.has(changeKey(change)))
  if (selected.length === 0) return refuse(astro, { to: astro.url.pathname, text: pendingTexts.outdated })
  const { id: userId } = getAdministrator(astro)
  const only = selected.map(({ subject, subjectId }) => ({ subject, subjectId }))
  const { db, publishing } = appOf(astro)
  const to = await addressOfNextEnd(db, { isSelection: true })
  await publishing.request({ startedBy: 'admin', userId, only })
  const summary = pendingTexts.recorded(selected.length)
  const next = { to, text: pendingTexts.started(selected.length) }
  return finish(astro, { action: 'site.published', summary }, next)
}
