import type { AstroGlobal } from 'astro'
import { finish, notFound } from '#src/admin/kit/page-context.ts'
import { versionChanges } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import type { Version } from '#src/versions/version.ts'
import {
  type ComparedVersion,
  compareVersion,
  findVersionOf,
  type ListedVersion,
  loadVersions,
} from './load-versions.ts'
import type { Versioned } from './versioned.ts'

type Context = Pick<AstroGlobal, 'request' | 'response' | 'params' | 'url' | 'locals' | 'cookies' | 'rewrite'>

/** The data of `VersionsPage`. */
export interface ShownVersions {
  versioned: Versioned
  listed: readonly ListedVersion[]
  older: number | undefined
}

/** Returns what the page of the versions shows; 404 if there is nothing with versions. */
export async function answerVersions(
  astro: Context,
  versioned: Versioned | undefined,
): Promise<Response | ShownVersions> {
  return versioned ? { versioned, ...(await loadVersions(astro, versioned)) } : notFound(astro)
}

/** The data of `VersionPage`. */
export interface ShownVersion {
  versioned: Versioned
  compared: ComparedVersion
  /** Reasons why a restore was refused. */
  problems: readonly string[]
}

/** Returns what the page of the version in the URL shows, after a restore if one was requested; 404 if there is none. */
export async function answerVersion(
  astro: Context,
  versioned: Versioned | undefined,
): Promise<Response | ShownVersion> {
  const found = versioned && (await findVersionOf(astro, versioned))
  if (!found) return notFound(astro)
  const problems = await receiveRestore(astro, versioned, found.version)
  if (problems instanceof Response) return problems
  return { versioned, compared: await compareVersion(astro, versioned, found), problems }
}

// Redirects to the editor of the restored content. If it can't be restored, returns the reasons and sets status 422.
async function receiveRestore(
  astro: Context,
  { name, refuseRestore, restore, record }: Versioned,
  version: Version,
): Promise<Response | string[]> {
  if (astro.request.method !== 'POST') return []
  const refusal = await refuseRestore?.()
  if (refusal) return refusal
  const outcome = await restore(version)
  if (outcome.kind === 'invalid') {
    astro.response.status = 422
    return outcome.problems.map(describeProblem)
  }
  if (outcome.kind !== 'saved') return notFound(astro)
  return finish(astro, record, { to: outcome.value.to, text: versionChanges.isRestored(name) })
}
