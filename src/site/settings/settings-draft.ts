import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { findOutdated, type Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { keepDraft } from '../../versions/keep-version.ts'
import type { Saver, Version } from '../../versions/version.ts'
import { findDraft, listVersionContents, retireDraft } from '../../versions/version-store.ts'
import { changeInside, checkSettings, differingKeys, settingsVersion } from './change-site-settings.ts'
import { mergeDraft } from './merge-draft.ts'
import { SETTINGS_SUBJECT } from './record-settings.ts'
import { DEFAULT_SITE_SETTINGS, type SiteSettings, type siteSettings } from './site-settings.ts'
import { findSettingsRow } from './site-settings-store.ts'

/** The settings that the screen shows: the draft, if there is one. */
export interface EditedSettings {
  settings: SiteSettings
  /** Visitors see these after the next publish. */
  saved: SiteSettings
  /** Undefined without a draft. `replaced` lists paths of values that were also saved after it. */
  draft: { version: Version; replaced: string[] } | undefined
  /** Changes with either. */
  stamp: string
}

interface Changing {
  /** In the form of `content/site.yaml`; the other settings stay. */
  changes: Partial<z.input<typeof siteSettings>>
  /** The stamp that the person saw. */
  basedOn?: string | undefined
}

interface SavingSettings {
  now: Date
  by?: Saver | undefined
}

/** Returns the settings to edit. */
export async function findEditedSettings(db: Db): Promise<EditedSettings> {
  const saved = (await findSettingsRow(db))?.settings ?? DEFAULT_SITE_SETTINGS
  const found = await findDraft(db, SETTINGS_SUBJECT)
  const stamp = settingsVersion(saved)
  if (!found) return { settings: saved, saved, draft: undefined, stamp }
  const { version, content } = found
  // Every save of a draft keeps what was saved before it as a version.
  const former = { limit: 1, before: version.id, state: 'saved' } as const
  const [base] = await listVersionContents(db, SETTINGS_SUBJECT, former)
  const sides = { saved, base: base?.content ?? DEFAULT_SITE_SETTINGS, draft: content }
  const { settings, replaced } = mergeDraft(sides)
  return { settings, saved, draft: { version, replaced }, stamp: `${stamp} ${version.id}` }
}

/**
 * Saves a draft of the settings, with the changes of the draft before it. Nothing uses it until it is saved: pages,
 * emails, and the next publish stay as they are. A draft equal to the saved settings is discarded. Returns the keys
 * that these changes affect.
 */
export function saveSettingsDraft(
  db: Kysely<Schema>,
  { changes, basedOn }: Changing,
  { now, by }: SavingSettings,
): Promise<Outcome<(keyof SiteSettings)[], AdminProblem>> {
  return changeContent(db, async (trx) => {
    const { settings: before, saved, stamp } = await findEditedSettings(trx)
    const outdated = findOutdated(stamp, basedOn)
    if (outdated) return outdated
    const { settings, problems } = await checkSettings(trx, {
      ...{ before, after: { ...before, ...changes }, changes },
    })
    if (!settings || problems.length > 0) return { kind: 'invalid', problems }
    const changed = differingKeys(before, settings)
    if (changed.length === 0) return { kind: 'saved', value: [] }
    if (differingKeys(saved, settings).length === 0) await retireDraft(trx, SETTINGS_SUBJECT)
    else await keepSettingsDraft(trx, settings, { now: now.toISOString(), by })
    return { kind: 'saved', value: changed }
  })
}

async function keepSettingsDraft(
  db: Db,
  after: SiteSettings,
  saving: { now: string; by?: Saver | undefined },
) {
  const row = await findSettingsRow(db)
  const before = row && { content: row.settings, savedAt: row.updatedAt }
  await keepDraft(db, SETTINGS_SUBJECT, { before, after }, saving)
}

interface SavingEdited extends Changing {
  /** False if other tags are refused, such as those of an owner's draft. */
  mayChangeTags: boolean
}

/**
 * Saves the edited settings with these changes, so that visitors see them after the next publish. The draft becomes a
 * former one. Returns the keys in which they differ from the saved settings.
 */
export function saveEditedSettings(
  db: Kysely<Schema>,
  { changes, basedOn, mayChangeTags }: SavingEdited,
  saving: SavingSettings,
): Promise<Outcome<(keyof SiteSettings)[], AdminProblem>> {
  return changeContent(db, async (trx) => {
    const { settings, saved, stamp } = await findEditedSettings(trx)
    const outdated = findOutdated(stamp, basedOn)
    if (outdated) return outdated
    const drafted = differingKeys(saved, settings).map((key) => [key, settings[key]])
    const all: Changing['changes'] = { ...Object.fromEntries(drafted), ...changes }
    if (!mayChangeTags && 'tags' in all && !isSame(all.tags, saved.tags))
      return { kind: 'invalid', problems: [{ path: ['tags'], code: 'tags_of_owners' }] }
    const outcome = await changeInside(trx, all, saving)
    if (outcome.kind === 'saved') await retireDraft(trx, SETTINGS_SUBJECT)
    return outcome
  })
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Discards the draft, which stays among the versions; returns false if the draft isn't `versionId`. */
export function discardSettingsDraft(db: Kysely<Schema>, versionId: number): Promise<boolean> {
  return changeContent(db, async (trx) => {
    const draft = await findDraft(trx, SETTINGS_SUBJECT)
    return draft?.version.id === versionId && retireDraft(trx, SETTINGS_SUBJECT)
  })
}
