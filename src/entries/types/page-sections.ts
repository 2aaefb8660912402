import { sectionLabels } from '../../messages/admin/entry-problems.ts'
import { OWN_SECTIONS } from '../sections/own-sections.ts'
import { PAGE_SECTIONS, type PageKind } from './page-kinds.ts'

export { PAGE_SECTIONS, type PageKind } from './page-kinds.ts'

/** A built-in section, or one of the site's own. */
export type SectionOf<Kind extends PageKind> = (typeof PAGE_SECTIONS)[Kind][number] | (string & {})

/** Lists every section that a kind of page can show: built-in ones in default order, then the site's own. */
export function listSections(kind: PageKind): string[] {
  const own = OWN_SECTIONS.filter(({ pages }) => pages.includes(kind))
  return [...PAGE_SECTIONS[kind], ...own.map(({ name }) => name)]
}

/** Returns a section's name for screens. */
export function labelOfSection(name: string): string {
  const own = OWN_SECTIONS.find((section) => section.name === name)
  return own?.label ?? sectionLabels[name as keyof typeof sectionLabels] ?? name
}

/**
 * Returns the sections that a page shows: its own selection, else the site's, else the default. The site's own
 * sections appear only where a person put them.
 */
export function sectionsOf<Kind extends PageKind>(
  kind: Kind,
  own: unknown,
  ofSite: { readonly [Page in PageKind]?: readonly string[] | undefined } | undefined,
): SectionOf<Kind>[] {
  const chosen = namesIn(own) ?? ofSite?.[kind] ?? PAGE_SECTIONS[kind]
  const known = listSections(kind)
  return chosen.filter((name): name is SectionOf<Kind> => known.includes(name))
}

// A page that hides all sections is stored as a word, because an empty list counts as missing.
function namesIn(own: unknown): string[] | undefined {
  return Array.isArray(own) && own.length > 0 ? own.map(String) : undefined
}

/** Means no sections. */
export const NO_SECTIONS = 'none'
