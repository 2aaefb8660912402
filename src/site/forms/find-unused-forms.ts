import type { Db } from '../../db/schema.ts'
import type { Form } from '../../forms/form.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { hasContentFile, listEntryTextsWith } from './form-usage-store.ts'

/**
 * Lists the slugs of active built-in forms that nothing on the site uses: no entry, no setting (including the
 * default form and the navigation), and no content file. Such a form keeps its page but appears in no list.
 */
export async function findUnusedForms(
  db: Db,
  {
    forms,
    settings,
  }: { forms: Iterable<Pick<Form, 'slug' | 'status' | 'isBuiltin'>>; settings: SiteSettings },
): Promise<Set<string>> {
  const unused = new Set<string>()
  for (const { slug, status, isBuiltin } of forms)
    if (isBuiltin && status === 'active' && !(await isUsed(db, slug, settings))) unused.add(slug)
  return unused
}

async function isUsed(db: Db, slug: string, settings: SiteSettings): Promise<boolean> {
  if (settings.default_form === slug || hasAddress(JSON.stringify(settings), slug)) return true
  if (await hasContentFile(db, `forms/${slug}.yaml`)) return true
  const field = `"form":${JSON.stringify(slug)}`
  const texts = await listEntryTextsWith(db, [addressOf(slug), field])
  return texts.some((text) => text.includes(field) || hasAddress(text, slug))
}

// `/forms/list` is not the address of the form `list-2`.
function hasAddress(text: string, slug: string): boolean {
  return new RegExp(`${addressOf(slug)}(?![\\w-])`).test(text)
}

function addressOf(slug: string): string {
  return `/forms/${slug}`
}
