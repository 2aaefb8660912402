import type { Db } from '../../db/schema.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import type { Form } from '../../forms/form.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { findLastPublish, listEntriesWithForm } from './form-usage-store.ts'

/** Pages that show a form. */
export interface FormUsage {
  /** Public pages in all, its own included; 0 for a form that is not active. */
  pages: number
  /** Entries that show it, with the number of places that do so with them. */
  entries: { title: string; path: string; places: number }[]
  /** True if services that name no form show it. */
  isDefault: boolean
  /** True if it was changed since the site was last published, so that its pages show it as it was. */
  isOutdated: boolean
}

/**
 * Finds the pages that show this form. `releasedAt` is when the current release was made (UTC text), if there is one.
 */
export async function findFormUsage(
  db: Db,
  { slug, status, updatedAt }: Pick<Form, 'slug' | 'status' | 'updatedAt'>,
  { releasedAt }: { releasedAt: string | undefined },
): Promise<FormUsage> {
  const isDefault = (await findSiteSettings(db)).default_form === slug
  const found = await listEntriesWithForm(db, { slug, isDefault })
  const entries = found.flatMap(({ title, slug: entrySlug, routePattern, places }) => {
    const path = routePattern ? composeRoute(routePattern, entrySlug) : undefined
    return path ? [{ title, path, places }] : []
  })
  const shown = entries.reduce((sum, { places }) => sum + 1 + places, 1)
  const publishedAt = [releasedAt ?? '', (await findLastPublish(db)) ?? ''].sort().at(-1) ?? ''
  return {
    pages: status === 'active' ? shown : 0,
    entries,
    isDefault,
    isOutdated: publishedAt !== '' && updatedAt > publishedAt,
  }
}
