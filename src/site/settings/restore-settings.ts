import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { DEFAULT_STAGES, findStage } from '../../submissions/stages/stage-settings.ts'
import { countInStage } from '../../submissions/stages/stage-store.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import type { Saver } from '../../versions/version.ts'
import { findVersion } from '../../versions/version-store.ts'
import { checkSettings, differingKeys } from './change-site-settings.ts'
import { compareSettings } from './compare-settings.ts'
import { withChanges } from './merge-draft.ts'
import { recordSettings, SETTINGS_SUBJECT } from './record-settings.ts'
import type { SiteSettings } from './site-settings.ts'
import { findSiteSettings, saveSiteSettings } from './site-settings-store.ts'

interface Restoring {
  versionId: number
  /** Paths of the values to restore; the others stay. Undefined for the whole version. */
  paths?: ReadonlySet<string> | undefined
  /** False if a version with other tags is refused. */
  mayChangeTags: boolean
}

/**
 * Restores a version of the settings as a new version. Refused if it would be invalid now: a picture, form, or section
 * was deleted, or leads are in a stage that it doesn't have.
 */
export function restoreSettings(
  db: Kysely<Schema>,
  { versionId, paths, mayChangeTags }: Restoring,
  { now, by }: { now: Date; by?: Saver | undefined },
): Promise<Outcome<undefined, AdminProblem>> {
  return changeContent(db, async (trx) => {
    const found = await findVersion(trx, SETTINGS_SUBJECT, versionId)
    if (!found) return { kind: 'not_found' }
    const before = await findSiteSettings(trx)
    const restored = paths ? pickValues(before, found.content, paths) : (found.content as SiteSettings)
    const changes = Object.fromEntries(differingKeys(before, restored).map((key) => [key, restored[key]]))
    const { settings, problems } = await checkSettings(trx, { before, after: restored, changes })
    if (!mayChangeTags) problems.push(...refuseOtherTags(before, restored))
    if (settings) problems.push(...(await findLostStages(trx, before, settings)))
    if (!settings || problems.length > 0) return { kind: 'invalid', problems }
    const saving = { now: now.toISOString(), by }
    await recordSettings(trx, () => saveSiteSettings(trx, settings, saving), saving)
    return { kind: 'saved', value: undefined }
  })
}

function refuseOtherTags({ tags: former }: SiteSettings, { tags }: SiteSettings): AdminProblem[] {
  const isSame = canonicalJson(former ?? null) === canonicalJson(tags ?? null)
  return isSame ? [] : [{ path: ['tags'], code: 'tags_of_owners' }]
}

function pickValues(before: SiteSettings, version: unknown, paths: ReadonlySet<string>): SiteSettings {
  const picked = compareSettings(before, version).filter(({ path }) => paths.has(path))
  return withChanges(before, picked)
}

async function findLostStages(db: Db, before: SiteSettings, after: SiteSettings): Promise<AdminProblem[]> {
  const problems: AdminProblem[] = []
  const next = after.stages ?? DEFAULT_STAGES
  for (const { slug, name, replaces = [] } of before.stages ?? DEFAULT_STAGES) {
    const lost = [slug, ...replaces].filter((stored) => !findStage(next, stored))
    const counts = await Promise.all(lost.map((stored) => countInStage(db, stored, { most: 1 })))
    if (counts.some((count) => count > 0))
      problems.push({ path: ['stages'], code: 'stage_in_use', params: { name } })
  }
  return problems
}
