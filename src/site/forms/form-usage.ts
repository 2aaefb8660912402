import type { Db } from '../../db/schema.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import type { Form } from '../../forms/form.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { findLastPublish, listEntriesWithForm } from './form-usage-store.ts'

/** Pages that show a form. */
export interface FormUsage {
  /** Total number of public pages, including its own; 0 for an inactive form. */
  pages: number
  /** Entries that show it, each with the number of its places that do. */
  entries: { title: string; path: string; places: number }[]
  /** True if the home page and services without a form show it. */
  isDefault: boolean
  /** True if it changed after the last publish, so that its pages still show the old version. */
  isOutdated: boolean
}

/**
 * Finds the pages that show this form. `releasedAt` is the creation time of the current release (UTC text), if there
 * is one.
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
  // Its own page, and the home page, which shows the default form.
  const others = isDefault ? 2 : 1
  const shown = entries.reduce((sum, { places }) => sum + 1 + places, others)
  const publishedAt = [releasedAt ?? '', (await findLastPublish(db)) ?? ''].sort().at(-1) ?? ''
  return {
    pages: status === 'active' ? shown : 0,
    entries,
    isDefault,
    isOutdated: publishedAt !== '' && updatedAt > publishedAt,
  }
}
