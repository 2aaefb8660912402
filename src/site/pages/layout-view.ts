import type { Db } from '../../db/schema.ts'
import { positionOf } from '../../entries/editing/order-entries.ts'
import { type Entry, listEntries } from '../../entries/entry-store.ts'
import { PAGES, SERVICES } from '../../entries/types/builtin/slugs.ts'
import { type ContentType, findContentType } from '../../entries/types/content-type-store.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import { compareText, orderOfNames } from '../../lib/compare-text.ts'
import { localeOf, openGraphLocale, textDirection } from '../../lib/locale/locale.ts'
import { siteTexts } from '../../messages/visitor/site.ts'
import type { Picture } from '../../pictures/picture.ts'
import { listPictures } from '../../pictures/picture-store.ts'
import { iconPaths, iconSource, type SiteIcon } from '../pictures/site-icon.ts'
import { type LogoView, logoView } from '../pictures/site-logo.ts'
import { type LabeledPhone, type PhoneView, toPhoneView } from '../settings/phone-view.ts'
import { INTERNAL_SETTINGS, type SiteSettings } from '../settings/site-settings.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { type TagsView, toTagsView } from '../tags/site-tags.ts'
import { lookOf, resolveTheme } from '../theme/looks.ts'
import { themeStylesheet } from '../theme/theme-stylesheet.ts'
import type { PageLink } from './page-link.ts'
import { type PictureView, pictureOfSite, toPictureView } from './share-picture.ts'
import { textOf } from './text-of.ts'

// Settings that the layout shows in another form or not at all.
const OTHERS = [
  'name',
  'logo',
  'logo_dark',
  'logo_shows_name',
  'icon',
  'business_type',
  'country',
  'language',
  'time_zone',
  'phone',
  'phones',
  'opening_hours',
  'theme',
  'sections',
  'home',
  'default_form',
  'quality_threshold',
  'share_pictures',
  'tags',
  ...INTERNAL_SETTINGS,
] as const satisfies (keyof SiteSettings)[]

/** The header and footer of every page: nearly every setting, unchanged. */
export interface LayoutView extends Omit<SiteSettings, (typeof OTHERS)[number]> {
  siteName: string
  siteUrl: string
  /** The language of the content, as a BCP 47 tag. */
  language: string
  direction: 'ltr' | 'rtl'
  /** The language and region in Open Graph format, such as `en_IE`. */
  locale: string
  /** The logo; null to show the first letter of the site's name instead. */
  logo: LogoView | null
  /** The icon for browser tabs and home screens; null if neither an icon nor a logo is set. */
  icon: SiteIcon | null
  /** The type of business, as a schema.org type. */
  businessType: SiteSettings['business_type']
  /** The picture that social networks show for pages without a picture of their own. */
  picture: PictureView | undefined
  phone: PhoneView | null
  /** Additional phone numbers, with labels. */
  phones: LabeledPhone[]
  /** The ISO 3166-1 country code; null if not set. */
  country: string | null
  openingHours: SiteSettings['opening_hours']
  services: ServiceLink[]
  /** Entries of the type `pages`, such as About and Privacy. */
  pages: PageLink[]
  /**
   * Some of the places on `/services`. The list may be empty on pages rendered on demand, such as a form with errors.
   */
  areas: PageLink[]
  /** The link lists in the footer: services, some places, and other pages. */
  linkLists: readonly [LinkListView, LinkListView, LinkListView]
  /** A link to the default form, for pages without a form. */
  quote: PageLink | null
  /** Short reasons to choose the business, from the titles in `home.points`. */
  trust: string[]
  /** True if pages record the source of their visitors. */
  notesVisits: boolean
  /** Snippets of other services; null on pages rendered on demand, whose policy blocks them. */
  tags: TagsView | null
  theme: {
    /** URL of the stylesheet with the custom properties; see `themeStylesheet`. */
    stylesheet: string
    /** Name of its font pair. */
    fonts: string
    /** Color that browsers show around the page. */
    color: string
    /** Name of the look whose components the page uses; null for the default ones. */
    look: string | null
    /** The `sizes` attribute of the main picture in that look; null for the default. */
    heroSizes: string | null
  }
}

/** A service in menus and lists of places. */
export interface ServiceLink extends PageLink {
  icon: string | null
}

/** Links with a heading. */
interface LinkListView {
  heading: string
  links: readonly PageLink[]
}

type LayoutParts = Pick<LayoutView, 'services' | 'pages' | 'areas' | 'siteUrl'> & {
  defaultForm: Form | undefined
  pictures: ReadonlyMap<string, Picture>
}

export function toLayoutView(
  settings: SiteSettings,
  { services, pages, areas, siteUrl, defaultForm, pictures }: LayoutParts,
): LayoutView {
  const { fonts, light } = resolveTheme(settings.theme)
  const look = lookOf(settings.theme.preset)
  const { country, language } = localeOf(settings)
  const icon = iconSource(settings, pictures)
  return {
    ...settingsAsTheyAre(settings),
    siteName: settings.name,
    siteUrl,
    language,
    direction: textDirection(language),
    locale: openGraphLocale(language, settings.country ?? null),
    logo: logoView(settings, pictures),
    icon: icon && iconPaths(icon),
    businessType: settings.business_type,
    picture: toPictureView(pictureOfSite(settings)),
    phone: settings.phone === null ? null : toPhoneView(settings.phone, country),
    phones: (settings.phones ?? []).map(({ label, number }) => ({ label, ...toPhoneView(number, country) })),
    country: settings.country ?? null,
    openingHours: settings.opening_hours,
    services,
    pages,
    areas,
    linkLists: [
      { heading: siteTexts.services, links: services },
      { heading: siteTexts.areas, links: withAllPlaces(areas) },
      { heading: siteTexts.more, links: pages },
    ],
    quote:
      defaultForm?.status === 'active'
        ? { name: defaultForm.name, path: `/forms/${defaultForm.slug}` }
        : null,
    trust: settings.home.points.map(({ title }) => title),
    notesVisits: settings.attribution !== false,
    tags: toTagsView(settings.tags),
    theme: {
      stylesheet: themeStylesheet(settings.theme).path,
      ...{ fonts, color: light.band, look: look?.name ?? null, heroSizes: look?.heroSizes ?? null },
    },
  }
}

function withAllPlaces(areas: readonly PageLink[]): readonly PageLink[] {
  return areas.length > 0 ? [...areas, { name: siteTexts.allPlaces, path: '/services#places' }] : []
}

function settingsAsTheyAre(settings: SiteSettings): Omit<SiteSettings, (typeof OTHERS)[number]> {
  const others: readonly string[] = OTHERS
  const shown = Object.entries(settings).filter(([key]) => !others.includes(key))
  return Object.fromEntries(shown) as Omit<SiteSettings, (typeof OTHERS)[number]>
}

/** Loads the layout alone, for a page rendered on demand, such as a form with errors. */
export async function loadLayoutView(
  db: Db,
  { siteUrl, now = new Date() }: { siteUrl: string; now?: Date },
): Promise<LayoutView> {
  const settings = await findSiteSettings(db)
  const { language } = localeOf(settings)
  const shown = { shownAt: now, language }
  const services = await linksOfType(db, await findContentType(db, SERVICES), shown)
  const pages = await linksOfType(db, await findContentType(db, PAGES), shown)
  const defaultForm = settings.default_form ? await findForm(db, settings.default_form) : undefined
  const pictures = await listPictures(db)
  const layout = toLayoutView(settings, { services, pages, areas: [], siteUrl, defaultForm, pictures })
  return { ...layout, tags: null }
}

/** Lists the pages of a type's entries that are shown at a time, sorted by title in the site's language. */
export async function linksOfType(
  db: Db,
  type: ContentType | undefined,
  { shownAt, language }: { shownAt: Date; language: string },
): Promise<ServiceLink[]> {
  if (!type?.routePattern) return []
  return entryLinks(await listEntries(db, type.id, { shownAt }), type.routePattern, language)
}

function entryLinks(entries: readonly Entry[], routePattern: string, language: string): ServiceLink[] {
  const compare = orderOfNames(language)
  return entries
    .flatMap(({ title, slug, data }) => {
      const path = composeRoute(routePattern, slug)
      const link = { name: title, path: path ?? '', icon: textOf(data.icon) }
      return path === undefined ? [] : [{ link, position: positionOf({ data }) }]
    })
    .sort(
      ({ link: a, position: one }, { link: b, position: other }) =>
        one - other || compare(a.name, b.name) || compareText(a.path, b.path),
    )
    .map(({ link }) => link)
}
