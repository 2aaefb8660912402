import type { AstroGlobal } from 'astro'
import { finish, notFound } from '#src/admin/kit/page-context.ts'
import { versionChanges } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import type { Version } from '#src/versions/version.ts'
import type { Versioned } from './versioned.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/**
 * Restores the requested version and redirects to its editor. If it can't be restored, returns the reasons and sets
 * status 422; returns none if no restore was requested.
 */
export async function receiveRestore(
  astro: Context,
  { name, restore, record }: Versioned,
  version: Version,
): Promise<Response | string[]> {
  if (astro.request.method !== 'POST') return []
  const outcome = await restore(version)
  if (outcome.kind === 'invalid') {
    astro.response.status = 422
    return outcome.problems.map(describeProblem)
  }
  if (outcome.kind !== 'saved') return notFound(astro)
  return finish(astro, record, { to: outcome.value.to, text: versionChanges.isRestored(name) })
}
