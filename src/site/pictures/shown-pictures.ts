import type { Db } from '../../db/schema.ts'
import { listForms } from '../../forms/form-store.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'

/** Lists the pictures that settings and forms use. */
export async function listNamesOfSite(db: Db): Promise<Set<string>> {
  const names = namesInValues(await findSiteSettings(db))
  for (const { settings } of await listForms(db))
    for (const name of namesInText(settings.success_body ?? '')) names.add(name)
  return names
}
