import type { AstroGlobal } from 'astro'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { appOf, finish, notFound } from '#src/admin/kit/page-context.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { typeName } from '#src/messages/admin/entries.ts'
import { versionChanges } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import type { Version } from '#src/versions/version.ts'
import type { VersionedEntry } from './load-versions.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/**
 * Restores the requested version and redirects to its entry. Returns the reasons, and answers with 422, if it can't be
 * restored; undefined if no restore was requested.
 */
export async function receiveRestore(
  astro: Context,
  { type, entry }: VersionedEntry,
  version: Version,
): Promise<Response | string[]> {
  if (astro.request.method !== 'POST') return []
  const of = { type, id: entry.id, versionId: version.id }
  const isDraft = version.state === 'draft'
  const saving = savingBy(astro, isDraft ? 'admin' : 'restored')
  const outcome = await restoreEntry(appOf(astro).db, of, saving)
  if (outcome.kind === 'invalid') {
    astro.response.status = 422
    return outcome.problems.map(describeProblem)
  }
  if (outcome.kind !== 'saved') return notFound(astro)
  const name = entry.title || entry.slug
  const summary = versionChanges.restored(name, typeName(type))
  const change = { action: 'entry.restored', id: entry.id, summary } as const
  const to = `/admin/entries/${type.slug}/${entry.id}`
  return finish(astro, change, { to, text: versionChanges.isRestored(name) })
}
