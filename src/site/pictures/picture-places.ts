import type { Db } from '../../db/schema.ts'
import { listEntriesById } from '../../entries/entry-lookup-store.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { listForms } from '../../forms/form-store.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { countUses, listEntriesNaming } from '../../pictures/picture-use-store.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'

const LISTED = 20

/** Something that shows a picture. */
export interface PicturePlace {
  /** Name for people; undefined for the settings. */
  title: string | undefined
  adminPath: string
}

/** Lists some of the places that use a picture, with their total number. */
export async function listPicturePlaces(
  db: Db,
  name: string,
): Promise<{ places: PicturePlace[]; count: number }> {
  const ofSite = await placesOfSite(db, name)
  const ids = await listEntriesNaming(db, name, LISTED)
  const entries = await listEntriesById(db, ids)
  const types = new Map((await listContentTypes(db)).map(({ id, slug }) => [id, slug]))
  const ofEntries = [...entries.values()].map(({ id, typeId, title, slug }) => ({
    title: title || slug,
    adminPath: `/admin/entries/${types.get(typeId)}/${id}`,
  }))
  const count = ofSite.length + ((await countUses(db, [name])).get(name) ?? 0)
  return { places: [...ofSite, ...ofEntries], count }
}

async function placesOfSite(db: Db, name: string): Promise<PicturePlace[]> {
  const places: PicturePlace[] = []
  if (namesInValues(await findSiteSettings(db)).has(name))
    places.push({ title: undefined, adminPath: '/admin/settings' })
  for (const form of await listForms(db))
    if (namesInText(form.settings.success_body ?? '').has(name))
      places.push({ title: form.name, adminPath: `/admin/forms/${form.slug}/settings` })
  return places
}

/** Returns whether the settings or a form use a picture. */
export async function isPictureOfSite(db: Db, name: string): Promise<boolean> {
  return (await placesOfSite(db, name)).length > 0
}

/** Returns whether anything uses a picture. */
export async function isPictureUsed(db: Db, name: string): Promise<boolean> {
  return (await listPicturePlaces(db, name)).count > 0
}
