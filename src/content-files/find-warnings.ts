import type { Db } from '../db/schema.ts'
import { listContentTypes } from '../entries/content-type-store.ts'
import { hasPicture } from '../entries/entry-lookup-store.ts'
import { findEntry } from '../entries/entry-store.ts'
import { matchRoute } from '../entries/route-pattern.ts'
import { findForm } from '../forms/form-store.ts'
import { pictureName } from '../site/pictures/picture-store.ts'
import { findTaxonomy } from '../taxonomies/taxonomy-store.ts'
import type { Mistake } from './mistake.ts'
import { listPagePartials } from './page-partials.ts'
import type { ParsedFile } from './parsed-file.ts'
import type { Reference } from './reference.ts'

const PROGRAM_PATHS = new Set(['/', '/services', '/sitemap-index.xml', '/robots.txt', '/llms.txt', '/admin'])

/**
 * What files name that the site does not have, and that stops nothing: links of the navigation to pages that are gone
 * or drafts, as somebody may have made them in the admin, partials, which the general one stands in for, and what entries of own types show.
 */
export async function findWarnings(db: Db, files: readonly ParsedFile[]): Promise<Mistake[]> {
  const warnings: Mistake[] = []
  for (const { path, references } of files) {
    for (const reference of references) {
      const message = await describeProblem(db, reference)
      if (message !== undefined) warnings.push({ path, line: reference.line, message })
    }
  }
  return warnings
}

async function describeProblem(db: Db, reference: Reference): Promise<string | undefined> {
  if (reference.to === 'page') {
    if (await hasPage(db, reference.path)) return undefined
    return `the link leads to ${reference.path}, where there is no public page`
  }
  if (reference.to === 'shown') {
    const { key, name } = reference
    const isThere = key === 'form' ? await findForm(db, name) : await hasPicture(db, pictureName(name))
    return isThere ? undefined : `no ${key} is called "${name}", so the page shows none`
  }
  const partials = listPagePartials()
  if (reference.to !== 'partial' || partials.includes(reference.name)) return undefined
  return `no partial is called "${reference.name}", so entry_detail shows these pages; there are: ${partials.join(', ')}`
}

async function hasPage(db: Db, link: string): Promise<boolean> {
  const path = link.replace(/[?#].*$/s, '')
  if (PROGRAM_PATHS.has(path)) return true
  const [, folder, slug = '', below] = path.split('/')
  if (folder === 'taxonomy') return (await findTaxonomy(db, slug))?.hasArchive ?? false
  if (folder === 'forms') {
    return (below === undefined || below === 'thanks') && (await findForm(db, slug))?.status === 'active'
  }
  return hasEntryAt(db, path)
}

async function hasEntryAt(db: Db, path: string): Promise<boolean> {
  for (const { id, isRoutable, routePattern } of await listContentTypes(db)) {
    const slug = isRoutable && routePattern ? matchRoute(routePattern, path) : undefined
    const entry = slug === undefined ? undefined : await findEntry(db, id, slug)
    if (entry?.status === 'published') return true
  }
  return false
}
