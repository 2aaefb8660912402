import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { findForm } from '../../forms/form-store.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { findOutdated, type Outcome, versionOf } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { findMissingNames } from '../../pictures/picture-store.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import type { Saver } from '../../versions/version.ts'
import { phonesOf, undialablePhones } from './phones.ts'
import { recordSettings } from './record-settings.ts'
import { picturesInSettings } from './setting-pictures.ts'
import { type SiteSettings, siteSettings, storedSiteSettings } from './site-settings.ts'
import { findSiteSettings, saveSiteSettings } from './site-settings-store.ts'

type Changes = Partial<z.input<typeof siteSettings>>

/**
 * Changes some of the site's settings in the form of `content/site.yaml`; the others stay. `basedOn` is the
 * `settingsVersion` that the person saw. Returns the changed keys; if there are none, nothing was written.
 */
export function changeSiteSettings(
  db: Kysely<Schema>,
  { changes, basedOn }: { changes: Changes; basedOn?: string | undefined },
  { now, by }: { now: Date; by?: Saver | undefined },
): Promise<Outcome<(keyof SiteSettings)[], AdminProblem>> {
  return changeContent(db, async (trx) => {
    const before = await findSiteSettings(trx)
    return findOutdated(settingsVersion(before), basedOn) ?? changeInside(trx, changes, { now, by })
  })
}

/** Does the same inside a transaction, whatever the version. */
export async function changeInside(
  db: Db,
  changes: Changes,
  { now, by }: { now: Date; by?: Saver | undefined },
): Promise<Outcome<(keyof SiteSettings)[], AdminProblem>> {
  const before = await findSiteSettings(db)
  const after = { ...before, ...changes }
  const { settings, problems } = await checkSettings(db, { before, after, changes })
  if (!settings || problems.length > 0) return { kind: 'invalid', problems }
  const changed = differingKeys(before, settings)
  const saving = { now: now.toISOString(), by }
  if (changed.length > 0) await recordSettings(db, () => saveSiteSettings(db, settings, saving), saving)
  return { kind: 'saved', value: changed }
}

/**
 * Checks settings that would replace those before. Only what is among `changes` must name existing forms and pictures.
 * Without `settings`, they break a rule of the schema. An unchanged home page may have values that its sections no longer
 * accept.
 */
export async function checkSettings(
  db: Db,
  { before, after, changes }: { before: SiteSettings; after: Changes; changes: Changes },
): Promise<{ settings: SiteSettings | undefined; problems: AdminProblem[] }> {
  const isSameHome = canonicalJson(after.home) === canonicalJson(before.home)
  const parsed = (isSameHome ? storedSiteSettings : siteSettings).safeParse(after)
  const problems = [
    ...(parsed.error?.issues ?? []).map(problemOf),
    ...(parsed.data ? refusedPhones(before, parsed.data) : []),
    ...(await findMissing(db, changes)),
  ]
  return { settings: parsed.data, problems }
}

/** Returns a text that differs whenever the settings differ. */
export function settingsVersion(settings: SiteSettings): string {
  return versionOf(settings)
}

// A number stored before numbers were checked stays until someone edits it or its country.
function refusedPhones(before: SiteSettings, after: SiteSettings): AdminProblem[] {
  const country = after.country ?? DEFAULT_COUNTRY
  const isMoved = country !== (before.country ?? DEFAULT_COUNTRY)
  const known = new Set(isMoved ? [] : phonesOf(before).map(({ number }) => number))
  return undialablePhones(after)
    .filter(({ number }) => !known.has(number))
    .map(({ path }) => ({ path, code: 'undialable', params: { country } }))
}

async function findMissing(db: Db, changes: Changes): Promise<AdminProblem[]> {
  const problems: AdminProblem[] = []
  const { default_form: form } = changes
  if (form && !(await findForm(db, form)))
    problems.push({ path: ['default_form'], code: 'form_unknown', params: { slug: form } })
  const pictures = picturesInSettings(changes)
  const missing = await findMissingNames(
    db,
    pictures.map(({ name }) => name),
  )
  for (const { path, name } of pictures)
    if (missing.has(name)) problems.push({ path, code: 'picture_unknown', params: { name } })
  return problems
}

/** Returns the keys in which settings differ. */
export function differingKeys(before: SiteSettings, after: SiteSettings): (keyof SiteSettings)[] {
  const keys = new Set(Object.keys({ ...after, ...before }) as (keyof SiteSettings)[])
  return [...keys].filter((key) => canonicalJson(before[key]) !== canonicalJson(after[key]))
}
