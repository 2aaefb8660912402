import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { versionChanges, versionTexts } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import type { StoredVersion } from '#src/versions/version-store.ts'
import {
  type ComparedVersion,
  compareVersion,
  describeRestore,
  findVersionOf,
  type ListedVersion,
  loadVersions,
  stampOf,
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
  /** The reason why a restore was refused. */
  problem?: string | undefined
  /** Keys of the values selected in a refused restore. */
  selected?: ReadonlySet<string> | undefined
}

/** Returns what the page of the version in the URL shows, after a restore if one was requested; 404 if there is none. */
export async function answerVersion(
  astro: Context,
  versioned: Versioned | undefined,
): Promise<Response | ShownVersion> {
  const found = versioned && (await findVersionOf(astro, versioned))
  if (!found) return notFound(astro)
  const received = await receiveRestore(astro, versioned, found)
  if (received instanceof Response) return received
  return { versioned, compared: await compareVersion(astro, versioned, found), ...received }
}

// Without `fields`, the whole version is restored.
const posted = z.object({ based_on: z.string().optional(), fields: z.array(z.string()).optional() })

// Redirects to the editor of the restored content. If it can't be restored, returns the reason and sets status 422.
async function receiveRestore(
  astro: Context,
  versioned: Versioned,
  stored: StoredVersion,
): Promise<Response | Pick<ShownVersion, 'problem' | 'selected'>> {
  if (astro.request.method !== 'POST') return {}
  const refusal = await versioned.refuseRestore?.()
  if (refusal) return refusal
  const { based_on: basedOn, fields } = (await readPosted(astro, posted)) ?? {}
  const outdated = { to: `${astro.url.pathname}?with=restore`, text: versionTexts.outdated }
  if (basedOn !== undefined && basedOn !== stampOf(versioned)) return refuse(astro, outdated)
  const selected = fields && new Set(fields.filter(Boolean))
  const isRefused = (problem: string) => {
    astro.response.status = 422
    return { problem, selected }
  }
  if (selected?.size === 0) return isRefused(versionTexts.nothingSelected)
  const all = selected && (await describeRestore(versioned, stored))
  const isWhole = all?.every(({ key }) => key === undefined || selected?.has(key))
  const outcome = await versioned.restore(stored.version, isWhole ? undefined : selected)
  if (outcome.kind === 'outdated') return refuse(astro, outdated)
  if (outcome.kind === 'invalid')
    return isRefused(versionTexts.cannotRestore(outcome.problems.map(describeProblem).join(' ')))
  if (outcome.kind !== 'saved') return notFound(astro)
  const text = versionChanges.isRestored(versioned.name)
  return finish(astro, versioned.record, { to: outcome.value.to, text })
}
