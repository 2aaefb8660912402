import type { Db } from '../db/schema.ts'
import { type ContentType, findContentType } from '../entries/content-type-store.ts'
import { type Entry, listEntries } from '../entries/entry-store.ts'
import { composeRoute } from '../entries/route-pattern.ts'
import type { PageLink } from './page-link.ts'
import { type PictureView, pictureOfSite, toPictureView } from './share-picture.ts'
import type { SiteSettings } from './site-settings.ts'
import { findSiteSettings } from './site-settings-store.ts'

/** What the header and footer of every page show. */
export interface LayoutView {
  siteName: string
  siteUrl: string
  /** A type of schema.org. */
  businessType: SiteSettings['business_type']
  tagline: string | null
  /** Shown where a page without a picture of its own is shared. */
  picture: PictureView | undefined
  phone: string | null
  email: string | null
  address: string | null
  openingHours: SiteSettings['opening_hours']
  socials: SiteSettings['socials']
  navigation: SiteSettings['navigation']
  services: PageLink[]
  /** The entries of the type `pages`, such as About and Privacy. */
  pages: PageLink[]
}

export function toLayoutView(
  settings: SiteSettings,
  { services, pages, siteUrl }: Pick<LayoutView, 'services' | 'pages' | 'siteUrl'>,
): LayoutView {
  return {
    siteName: settings.name,
    siteUrl,
    businessType: settings.business_type,
    tagline: settings.tagline,
    picture: toPictureView(pictureOfSite(settings)),
    phone: settings.phone,
    email: settings.email,
    address: settings.address,
    openingHours: settings.opening_hours,
    socials: settings.socials,
    navigation: settings.navigation,
    services,
    pages,
  }
}

/** The layout alone, for a page that is made on demand, such as a form with mistakes in it. */
export async function loadLayoutView(
  db: Db,
  { siteUrl, now = new Date() }: { siteUrl: string; now?: Date },
): Promise<LayoutView> {
  const settings = await findSiteSettings(db)
  const services = await linksOfType(db, await findContentType(db, 'services'), now)
  const pages = await linksOfType(db, await findContentType(db, 'pages'), now)
  return toLayoutView(settings, { services, pages, siteUrl })
}

/** The pages of a type's entries that are shown at a moment, by title. */
export async function linksOfType(db: Db, type: ContentType | undefined, shownAt: Date): Promise<PageLink[]> {
  if (!type?.routePattern) return []
  return entryLinks(await listEntries(db, type.id, { shownAt }), type.routePattern)
}

function entryLinks(entries: readonly Entry[], routePattern: string): PageLink[] {
  return entries
    .map((entry) => ({ name: entry.title, path: composeRoute(routePattern, entry.slug) }))
    .filter((link): link is PageLink => link.path !== undefined)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
