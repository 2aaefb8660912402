import { sectionLabels } from '../../messages/admin/entry-problems.ts'
import { OWN_SECTIONS } from '../sections/own-sections.ts'
import { PAGE_SECTIONS, type PageKind } from './page-kinds.ts'

export { PAGE_SECTIONS, type PageKind } from './page-kinds.ts'

/** A section of the program, or one of the site's own. */
export type SectionOf<Kind extends PageKind> = (typeof PAGE_SECTIONS)[Kind][number] | (string & {})

/** Lists every section that a kind of page can show: those of the program in their usual order, then those of the site. */
export function listSections(kind: PageKind): string[] {
  const own = OWN_SECTIONS.filter(({ pages }) => pages.includes(kind))
  return [...PAGE_SECTIONS[kind], ...own.map(({ name }) => name)]
}

/** Returns the name of a section on screens. */
export function labelOfSection(name: string): string {
  const own = OWN_SECTIONS.find((section) => section.name === name)
  return own?.label ?? sectionLabels[name as keyof typeof sectionLabels] ?? name
}

/**
 * Returns the sections that a page shows: its own, or else those of the site, or else the usual ones. A section of the
 * site's own is on a page only where a person put it.
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

// A page that hides all of them says so with a word, because an empty list says nothing.
function namesIn(own: unknown): string[] | undefined {
  return Array.isArray(own) && own.length > 0 ? own.map(String) : undefined
}

/** In place of sections: the page shows none. */
export const NO_SECTIONS = 'none'
