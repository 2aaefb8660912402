import type { Db } from '../../db/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import type { Picture } from '../../pictures/picture.ts'
import { listNamesInUse } from '../../pictures/picture-use-store.ts'
import type { SiteContent } from '../content/site-content.ts'
import { picturesInSettings } from '../settings/setting-pictures.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'

/** Lists the pictures that settings and forms use. */
export async function listNamesOfSite(db: Db): Promise<Set<string>> {
  return namesOfSite({ settings: await findSiteSettings(db), forms: await listForms(db) })
}

interface SiteNames {
  settings: SiteSettings
  forms: Iterable<{ settings: { success_body?: string | null | undefined } }>
}

function namesOfSite({ settings, forms }: SiteNames): Set<string> {
  const names = namesInValues(settings)
  for (const { name } of picturesInSettings(settings)) names.add(name)
  for (const form of forms) for (const name of namesInText(form.settings.success_body ?? '')) names.add(name)
  return names
}

/**
 * Returns the pictures that pages show, by name. With `entryIds`, only those of the pages of these entries, which
 * are the same as with the whole site.
 */
export async function listShownPictures(
  db: Db,
  { pictures, settings, forms }: Pick<SiteContent, 'pictures' | 'settings' | 'forms'>,
  entryIds?: readonly number[],
): Promise<Map<string, Picture>> {
  const names = await listNamesInUse(db, entryIds)
  const shown = entryIds ? names : names.union(namesOfSite({ settings, forms: forms.values() }))
  return new Map([...pictures].filter(([name]) => shown.has(name)))
}
