import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import { pageBreadcrumbs } from '../pages/breadcrumbs.ts'
import type { Crumb, PageView } from '../pages/page.ts'
import { viewOf } from '../pages/page.ts'
import type { OwnEntry, OwnPlace, OwnSite } from './own-content.ts'
import { readContent } from './reading.ts'

export type { OwnEntry, OwnPlace, OwnPlacePage, OwnSite } from './own-content.ts'

/** The fields of each content type by slug. A site's own types are added in `.astro/integrations`. */
// biome-ignore lint/suspicious/noEmptyInterface: sites add to it
export interface EntryTypes {}

type TypeSlug = keyof EntryTypes extends never ? string : keyof EntryTypes & string
type DataOf<Slug> = Slug extends keyof EntryTypes ? EntryTypes[Slug] : Record<string, unknown>

/** Returns the published entries of a content type, sorted by position and slug; none for an unknown type. */
export async function getEntries<Slug extends TypeSlug>(type: Slug): Promise<OwnEntry<DataOf<Slug>>[]> {
  if (typeof type !== 'string') throw new Failure(ownPageFailures, 'typeMissing')
  return [...(await readContent(`entries:${type}`))] as OwnEntry<DataOf<Slug>>[]
}

/** Returns the published services, sorted by position and slug. */
export async function getServices(): Promise<OwnEntry<DataOf<typeof SERVICES>>[]> {
  return [...(await readContent(`entries:${SERVICES}`))] as OwnEntry<DataOf<typeof SERVICES>>[]
}

/** Returns the top-level places, each with the places below it and the pages of its services. */
export async function getPlaces(): Promise<OwnPlace[]> {
  return [...(await readContent('places'))]
}

/** Returns the site's settings. */
export function getSite(): Promise<OwnSite> {
  return readContent('site')
}

/** A page's title and description. */
export interface OwnPageHead {
  /** `Astro.url.pathname` of the page. */
  path: string
  title: string
  description: string
  /** The last part of the breadcrumb. Default: the title. */
  name?: string
  /** The trail to the page. Default: from the home page. */
  breadcrumbs?: Crumb[]
  /** True to ask search engines not to list the page. */
  isHidden?: boolean
}

const NEEDED = ['path', 'title', 'description'] as const satisfies (keyof OwnPageHead)[]

/** Returns the `view` for `signpost/components/Layout.astro`. Throws if the path, title, or description is missing. */
export async function getPageView(pageHead: OwnPageHead): Promise<PageView<object>> {
  const missing = NEEDED.find((key) => typeof pageHead?.[key] !== 'string')
  if (missing) throw new Failure(ownPageFailures, 'headIncomplete', missing)
  const { path, name, title, breadcrumbs, ...head } = pageHead
  const layout = await readContent('layout')
  const address = path.replace(/\.html$/, '')
  return viewOf(layout, address, {
    ...head,
    title,
    breadcrumbs: breadcrumbs ?? pageBreadcrumbs(name ?? title, address),
    detail: {},
  })
}
