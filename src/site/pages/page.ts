import type { OfferedService } from '../content/offered-service.ts'
import type { PageQuality } from '../quality/page-quality.ts'
import type { LayoutView } from './layout-view.ts'
import type { PictureView, SharePicture } from './share-picture.ts'

/** A page's current and former addresses. */
export interface PageAddress {
  /** `/services/ac-repair/austin`, without a trailing slash; `/` for the home page. */
  path: string
  /** Subject of the page, which stays the same when its address changes: `entry:12`. Unique among pages. */
  key: string
  /** Former addresses listed in the page's files. */
  formerPaths?: readonly string[]
  /** Addresses that it may have had, based on the former slugs of its subject. */
  impliedPaths?: readonly string[]
}

/** A public page. Its view contains everything its template shows. */
export interface Page<Detail = unknown> extends PageAddress {
  /** Component under src/components/partials that renders it; a content type's `detail_partial` (§2.9). */
  partial: string
  view: PageView<Detail>
  /** For a location page: the facts that decided whether search engines may list it. */
  quality?: PageQuality
  /** The share picture to draw for its head. */
  picture?: SharePicture | undefined
}

export interface PageView<Detail = unknown> {
  /** Data for the header and footer. */
  layout: LayoutView
  /** Data for `<head>`. */
  head: HeadView
  /** The pages from the home page to this page. */
  breadcrumbs: Crumb[]
  /** The service offered on the page, if any. */
  service?: OfferedService
  /** The page's own data, such as `HomeView` for the home page. */
  detail: Detail
}

/** The view of a page at an address of the layout's site. */
export function viewOf<Detail>(
  layout: LayoutView,
  path: string,
  {
    breadcrumbs,
    service,
    detail,
    ...head
  }: Omit<HeadView, 'canonicalUrl'> & Omit<PageView<Detail>, 'layout' | 'head'>,
): PageView<Detail> {
  const view = { layout, head: { ...head, canonicalUrl: layout.siteUrl + path }, breadcrumbs, detail }
  return service ? { ...view, service } : view
}

interface HeadView {
  title: string
  description: string
  /** The page's absolute URL. */
  canonicalUrl: string
  /** True to leave the page out of the sitemap and ask search engines not to list it. */
  isHidden?: boolean
  /** The picture shown when the page is shared. Default: the site's picture. */
  picture?: PictureView | undefined
  /** The path of the page's main picture, for structured data. */
  photo?: string | undefined
  /** The AVIF `srcset` of the picture at the top of the page. Browsers load this picture first. */
  preload?: string
}

/** One step of the breadcrumb. `path` is null if that page doesn't exist (contract §4). */
export interface Crumb {
  name: string
  path: string | null
}
