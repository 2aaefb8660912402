import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { pageBreadcrumbs } from '../pages/breadcrumbs.ts'
import type { Crumb, PageView } from '../pages/page.ts'
import { viewOf } from '../pages/page.ts'
import type { OwnEntry, OwnPlace, OwnSite } from './own-content.ts'
import { readContent } from './reading.ts'

export type { OwnEntry, OwnPlace, OwnPlacePage, OwnSite } from './own-content.ts'

/** The fields of each content type by its slug. A site's own types are added in `.astro/integrations`. */
// biome-ignore lint/suspicious/noEmptyInterface: sites add to it
export interface EntryTypes {}

type TypeSlug = keyof EntryTypes extends never ? string : keyof EntryTypes & string
type DataOf<Slug> = Slug extends keyof EntryTypes ? EntryTypes[Slug] : Record<string, unknown>

/** Returns the published entries of a content type, by position and slug; none of an unknown type. */
export async function getEntries<Slug extends TypeSlug>(type: Slug): Promise<OwnEntry<DataOf<Slug>>[]> {
  return [...(await readContent(`entries:${type}`))] as OwnEntry<DataOf<Slug>>[]
}

/** Returns the published services, by position and slug. */
export async function getServices(): Promise<OwnEntry<DataOf<typeof SERVICES>>[]> {
  return [...(await readContent(`entries:${SERVICES}`))] as OwnEntry<DataOf<typeof SERVICES>>[]
}

/** Returns the places at the top of the tree; each has the places in it, and the pages of its services. */
export async function getPlaces(): Promise<OwnPlace[]> {
  return [...(await readContent('places'))]
}

/** Returns the settings of the site. */
export function getSite(): Promise<OwnSite> {
  return readContent('site')
}

/** Title and description of a page. */
export interface OwnPageHead {
  /** `Astro.url.pathname` of the page. */
  path: string
  title: string
  description: string
  /** The last part of the breadcrumb; the title unless given. */
  name?: string
  /** The trail to the page; from the home page unless given. */
  breadcrumbs?: Crumb[]
  /** Search engines are asked not to list the page. */
  isHidden?: boolean
}

/** Returns the `view` that `signpost/components/Layout.astro` shows around a page. */
export async function getPageView({
  path,
  name,
  title,
  breadcrumbs,
  ...head
}: OwnPageHead): Promise<PageView<object>> {
  const layout = await readContent('layout')
  const address = path.replace(/\.html$/, '')
  return viewOf(layout, address, {
    ...head,
    title,
    breadcrumbs: breadcrumbs ?? pageBreadcrumbs(name ?? title, address),
    detail: {},
  })
}
