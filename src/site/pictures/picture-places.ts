import type { Db } from '../../db/schema.ts'
import { listEntriesById, listNamesById } from '../../entries/entry-lookup-store.ts'
import { listDraftsWithPictures } from '../../entries/history/draft-pictures.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { listForms } from '../../forms/form-store.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { countUses, listEntriesNaming } from '../../pictures/picture-use-store.ts'
import { findDraft } from '../../versions/version-store.ts'
import { SETTINGS_SUBJECT } from '../settings/record-settings.ts'
import { picturesInSettings } from '../settings/setting-pictures.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { countInheriting } from './inherited-pictures.ts'
import { listNamesOfSite } from './shown-pictures.ts'

const LISTED = 20
/** Pages that are looked at; any more are counted. */
const LOOKED_AT = 2_000

/** Something that shows a picture. */
export interface PicturePlace {
  /** Name for people; undefined for the settings and their draft. */
  title: string | undefined
  /** True for a draft, or a page that is one, which visitors don't see yet. */
  isDraft?: boolean
  /** Number of local pages that take it from this service. */
  localPages?: number
  adminPath: string
}

/**
 * Lists some of the places that use a picture, with their total number. Drafts count too. `pages` is the number of
 * published pages that show it, with the local pages that take it from their service.
 */
export async function listPicturePlaces(
  db: Db,
  name: string,
): Promise<{ places: PicturePlace[]; count: number; pages: number }> {
  const ofSite = await placesOfSite(db, name)
  const ids = await listEntriesNaming(db, name, LOOKED_AT)
  const drafts = await listDraftsWithPictures(db, name)
  const ofDrafts = drafts.slice(0, LISTED).map(({ entry }) => entry.id)
  const names = await listNamesById(db, [...ids, ...ofDrafts])
  const placesOf = (some: readonly number[]) =>
    some.flatMap((id) => {
      const named = names.get(id)
      return named ? [{ id, title: named.name, adminPath: `/admin/entries/${named.type}/${id}` }] : []
    })
  const entries = await listEntriesById(db, ids)
  const typeOf = (id: number) => names.get(id)?.type ?? ''
  const withParts = new Map([...entries].filter(([id]) => rulesOf(typeOf(id)).parts))
  const localPages = await countInheriting(db, withParts, name)
  const ofEntries = placesOf(ids.slice(0, LISTED)).map((place) => ({
    ...place,
    isDraft: entries.get(place.id)?.status === 'draft',
    localPages: localPages.get(place.id) ?? 0,
  }))
  const draft = await findDraft(db, SETTINGS_SUBJECT)
  if (namesInSettings(draft?.content).has(name))
    ofSite.push({ title: undefined, isDraft: true, adminPath: screenOf(draft?.content, name) })
  const uses = ids.length < LOOKED_AT ? ids.length : ((await countUses(db, [name])).get(name) ?? 0)
  const count = ofSite.length + drafts.length + uses
  const drafted = placesOf(ofDrafts).map((place) => ({ ...place, isDraft: true }))
  // A review has no page.
  const shown = [...entries.values()].filter(
    ({ id, status }) => status === 'published' && names.get(id)?.hasPage,
  )
  const inherited = [...localPages.values()].reduce((sum, some) => sum + some, 0)
  const pages = shown.length + inherited + uses - ids.length
  return { places: [...ofSite, ...drafted, ...ofEntries], count, pages }
}

/** Counts the uses of pictures outside of saved entries, by name: in the settings, forms, and drafts. */
export async function countOtherUses(db: Db): Promise<Map<string, number>> {
  const uses = new Map<string, number>()
  const lists = [
    await listNamesOfSite(db),
    namesInSettings((await findDraft(db, SETTINGS_SUBJECT))?.content),
    ...(await listDraftsWithPictures(db)).map(({ names }) => names),
  ]
  for (const names of lists) for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1)
  return uses
}

function namesInSettings(settings: unknown): Set<string> {
  return new Set(picturesInSettings(settings).map(({ name }) => name))
}

function screenOf(settings: unknown, name: string): string {
  const isOnHome = picturesInSettings(settings).some(
    ({ path, name: one }) => one === name && path[0] === 'home',
  )
  return isOnHome ? '/admin/home' : '/admin/settings'
}

async function placesOfSite(db: Db, name: string): Promise<PicturePlace[]> {
  const places: PicturePlace[] = []
  const settings = await findSiteSettings(db)
  if (namesInValues(settings).has(name))
    places.push({ title: undefined, adminPath: screenOf(settings, name) })
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
