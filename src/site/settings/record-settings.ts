import type { Db } from '../../db/schema.ts'
import { keepVersion } from '../../versions/keep-version.ts'
import type { Saving, Subject } from '../../versions/version.ts'
import { findSettingsRow, findSiteSettings } from './site-settings-store.ts'

/** The site's settings as the subject of versions. There is one of them. */
export const SETTINGS_SUBJECT: Subject = { kind: 'settings', id: 1 }

/** Changes the settings and records the result as a version. Call it inside a transaction. */
export async function recordSettings(db: Db, change: () => Promise<void>, saving: Saving): Promise<void> {
  const row = await findSettingsRow(db)
  await change()
  const before = row && { content: row.settings, savedAt: row.updatedAt }
  await keepVersion(db, SETTINGS_SUBJECT, { before, after: await findSiteSettings(db) }, saving)
}
