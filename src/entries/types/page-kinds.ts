/** The built-in sections that the editor can move and hide, by kind of page and in default order. */
export const PAGE_SECTIONS = {
  home: ['service_list', 'steps', 'points', 'before_after', 'gallery', 'reviews', 'places', 'faq'],
  service: ['steps', 'before_after', 'gallery', 'places', 'reviews', 'faq'],
  location_service: ['steps', 'before_after', 'gallery', 'reviews', 'faq', 'nearby'],
} as const

export type PageKind = keyof typeof PAGE_SECTIONS

/** The kinds of pages that have sections. */
export const PAGE_KINDS = Object.keys(PAGE_SECTIONS) as [PageKind, ...PageKind[]]
