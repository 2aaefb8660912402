/** The sections of pages that the editor can move and hide, by kind of page and in their usual order. */
export const PAGE_SECTIONS = {
  home: ['service_list', 'steps', 'points', 'before_after', 'gallery', 'reviews', 'places', 'faq'],
  service: ['steps', 'before_after', 'gallery', 'places', 'reviews', 'faq'],
  location_service: ['steps', 'before_after', 'gallery', 'reviews', 'faq', 'nearby'],
} as const

export type PageKind = keyof typeof PAGE_SECTIONS
export type SectionOf<Kind extends PageKind> = (typeof PAGE_SECTIONS)[Kind][number]

/** Returns the sections that a page shows: its own, or else those of the site, or else the usual ones. */
export function sectionsOf<Kind extends PageKind>(
  kind: Kind,
  own: unknown,
  ofSite: { readonly [Page in PageKind]?: readonly string[] | undefined } | undefined,
): SectionOf<Kind>[] {
  const usual: readonly string[] = PAGE_SECTIONS[kind]
  const chosen = namesIn(own) ?? ofSite?.[kind] ?? usual
  return chosen.filter((name): name is SectionOf<Kind> => usual.includes(name))
}

// A page that hides all of them says so with a word, because an empty list says nothing.
function namesIn(own: unknown): string[] | undefined {
  return Array.isArray(own) && own.length > 0 ? own.map(String) : undefined
}

/** In place of sections: the page shows none. */
export const NO_SECTIONS = 'none'
