import type { OfferedService } from '../content/offered-service.ts'
import type { PageQuality } from '../quality/page-quality.ts'
import type { LayoutView } from './layout-view.ts'
import type { PictureView, SharePicture } from './share-picture.ts'

/** Present and former address of a page. */
export interface PageAddress {
  /** `/services/ac-repair/austin`, without a trailing slash; `/` for the home page. */
  path: string
  /**
   * Subject of the page, which stays the same when its address changes: `entry:12`. No two pages share one.
   */
  key: string
  /** Addresses that lead to this page, as its files say. */
  formerPaths?: readonly string[]
  /** Addresses that it may have had, as the former slugs of what it is about say. */
  impliedPaths?: readonly string[]
}

/** A public page: everything its template shows stands in the view. */
export interface Page<Detail = unknown> extends PageAddress {
  /** Component under src/components/partials that shows it; a content type's `detail_partial` (§2.9). */
  partial: string
  view: PageView<Detail>
  /** Of a location page: what its listing in search engines was decided by. */
  quality?: PageQuality
  /** The picture that its head names, to be drawn. */
  picture?: SharePicture | undefined
}

export interface PageView<Detail = unknown> {
  layout: LayoutView
  head: HeadView
  breadcrumbs: Crumb[]
  /** The service that the page offers, if it offers one. */
  service?: OfferedService
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
  /** Absolute address of the page. */
  canonicalUrl: string
  /** Search engines are asked not to list the page, and the sitemap leaves it out. */
  isHidden?: boolean
  /** Shown where the page is shared; the site's when there is none. */
  picture?: PictureView | undefined
  /** Path of the photo that the page shows, if it shows one. */
  photo?: string | undefined
  /** Files of the picture at the top of the page in its widths, as `srcset` names them: asked for before anything else. */
  preload?: string
}

/** One step of the breadcrumb. `path` is null when that page does not exist (contract §4). */
export interface Crumb {
  name: string
  path: string | null
}
