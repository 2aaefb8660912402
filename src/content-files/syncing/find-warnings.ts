import { readdirSync } from 'node:fs'
import { findLocale } from '../../db/locale-store.ts'
import type { Db } from '../../db/schema.ts'
import { findEntry } from '../../entries/entry-store.ts'
import { listContentTypes } from '../../entries/types/content-type-store.ts'
import { matchRoute } from '../../entries/types/route-pattern.ts'
import { findForm, listForms } from '../../forms/form-store.ts'
import { SITE_DIR } from '../../lib/program/folders.ts'
import type { FileFault } from '../../messages/files/mistakes.ts'
import { pictureName } from '../../pictures/picture.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { hasOwnPageAt } from '../../site/own-pages/own-files.ts'
import { findTaxonomy } from '../../taxonomies/taxonomy-store.ts'
import { phoneFault } from '../parsing/check-phones.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { Reference } from '../parsing/reference.ts'

const PROGRAM_PATHS = new Set(['/', '/services', '/sitemap-index.xml', '/robots.txt', '/llms.txt', '/admin'])

/**
 * Finds problems that don't stop a sync: navigation links to deleted or draft pages, which may exist only in the
 * admin; inactive forms; unknown partials, which fall back to the default; pictures and forms in entries of custom
 * types; the files' own warnings; and what is refused but stored already: phone numbers, default
 * answers, and mentions of removed questions.
 */
export async function findWarnings(db: Db, files: readonly ParsedFile[]): Promise<Mistake[]> {
  const warnings: Mistake[] = files.flatMap((file) => file.warnings ?? [])
  // Read once, because thousands of pages may refer to one.
  const forms = new Map((await listForms(db)).map(({ slug, status }) => [slug, status]))
  const { country } = await findLocale(db)
  const shown: Shown = { forms, pictures: await listPictures(db), country }
  for (const { path, references } of files) {
    for (const reference of references) {
      const fault = await faultOf(db, reference, shown)
      if (fault) warnings.push({ path, line: reference.line, fault })
    }
  }
  return warnings
}

/** Names that pages can show. */
interface Shown {
  forms: ReadonlyMap<string, string>
  pictures: ReadonlyMap<string, unknown>
  country: string
}

async function faultOf(db: Db, reference: Reference, shown: Shown): Promise<FileFault | undefined> {
  if (reference.to === 'page') {
    if (await hasPage(db, reference.path)) return undefined
    return { code: 'page_missing', params: { path: reference.path } }
  }
  if (reference.to === 'phone') return phoneFault(reference, shown.country)
  if (reference.to === 'faulty_part') return reference.fault
  if (reference.to === 'form') return formFault(reference.slug, shown)
  if (reference.to === 'shown') {
    const { key, name } = reference
    if (key === 'form') return formFault(name, shown)
    return shown.pictures.has(pictureName(name)) ? undefined : noneCalled(key, name)
  }
  return reference.to === 'partial' ? partialFault(reference.name) : undefined
}

function partialFault(name: string): FileFault | undefined {
  const partials = listPagePartials()
  return partials.includes(name) ? undefined : { code: 'partial_unknown', params: { name, partials } }
}

function formFault(slug: string, { forms }: Shown): FileFault | undefined {
  const status = forms.get(slug)
  if (!status) return noneCalled('form', slug)
  return status === 'active' ? undefined : { code: 'form_inactive', params: { slug } }
}

function noneCalled(key: string, name: string): FileFault {
  return { code: 'shown_unknown', params: { key, name } }
}

async function hasPage(db: Db, link: string): Promise<boolean> {
  const path = link.replace(/[?#].*$/s, '')
  if (PROGRAM_PATHS.has(path) || hasOwnPageAt(SITE_DIR, path)) return true
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

const FOLDER = new URL('../../components/partials/', import.meta.url)

/**
 * Lists the values of `detail_partial` (§2.9): `location_service_detail` is the component
 * LocationServiceDetail.astro.
 */
function listPagePartials(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.astro'))
    .map((file) =>
      file
        .slice(0, -'.astro'.length)
        .replace(/(?<!^)[A-Z]/g, '_$&')
        .toLowerCase(),
    )
}
