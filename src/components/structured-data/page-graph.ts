import type { BreadcrumbList, Graph, Place, Service, Thing, WebPage, WebSite } from 'schema-dts'
import type { OfferedService, PlaceName } from '../../site/content/offered-service.ts'
import type { Crumb, PageView } from '../../site/pages/page.ts'
import { businessId, businessNode, officeNode } from './business.ts'

// Regions and counties are neither states nor cities; schema.org has no narrower type for them.
const PLACE_TYPES = {
  country: 'Country',
  state: 'State',
  region: 'AdministrativeArea',
  county: 'AdministrativeArea',
  city: 'City',
  area: 'Place',
} as const satisfies Record<PlaceName['kind'], string>

type View = Pick<PageView, 'layout' | 'head' | 'breadcrumbs' | 'service'>

/**
 * Returns a page's structured data as one graph; the same thing has the same `@id` on every page. Ratings are left
 * out, because search engines ignore a business's ratings of itself.
 */
export function pageGraph(view: View): Graph {
  const { layout, service } = view
  const office = service?.office ? officeNode(layout, service.office) : undefined
  const provider = office && typeof office !== 'string' ? String(office['@id']) : businessId(layout)
  return {
    '@context': 'https://schema.org',
    '@graph': [
      webSite(view),
      businessNode(layout),
      ...(office ? [office] : []),
      webPage(view),
      ...(view.breadcrumbs.length > 0 ? [breadcrumbList(view)] : []),
      ...(service ? [serviceNode(view, service, provider)] : []),
    ] satisfies Thing[],
  }
}

/** The absolute URL of the page's share picture. */
export function shareAddress({ layout, head }: Pick<View, 'layout' | 'head'>): string | undefined {
  const picture = head.picture ?? layout.picture
  return picture && layout.siteUrl + picture.path
}

function webSite({ layout }: View): WebSite {
  return {
    '@type': 'WebSite',
    '@id': `${layout.siteUrl}/#website`,
    url: `${layout.siteUrl}/`,
    name: layout.siteName,
    inLanguage: layout.language,
    publisher: { '@id': businessId(layout) },
  }
}

function webPage(view: View): WebPage {
  const { layout, head, breadcrumbs, service } = view
  const image = head.photo ? layout.siteUrl + head.photo : shareAddress(view)
  return {
    '@type': 'WebPage',
    '@id': `${head.canonicalUrl}#webpage`,
    url: head.canonicalUrl,
    name: head.title,
    description: head.description,
    inLanguage: layout.language,
    isPartOf: { '@id': `${layout.siteUrl}/#website` },
    about: { '@id': service ? serviceId(view) : businessId(layout) },
    ...(breadcrumbs.length > 0 && { breadcrumb: { '@id': breadcrumbId(view) } }),
    ...(image && { primaryImageOfPage: { '@type': 'ImageObject' as const, url: image } }),
  }
}

function breadcrumbId({ head }: View) {
  return `${head.canonicalUrl}#breadcrumb`
}

/** The visible breadcrumb, name by name. */
function breadcrumbList(view: View): BreadcrumbList {
  return {
    '@type': 'BreadcrumbList',
    '@id': breadcrumbId(view),
    itemListElement: view.breadcrumbs.map(({ name }, index) => ({
      '@type': 'ListItem' as const,
      position: index + 1,
      name,
      item: view.layout.siteUrl + crumbPath(view.breadcrumbs, index),
    })),
  }
}

// Search engines require an address for every step. A step without a page is merged into the page before it.
function crumbPath(crumbs: readonly Crumb[], index: number): string {
  const crumb = crumbs[index]
  if (crumb?.path) return crumb.path
  const above = crumbs.slice(0, index).findLast(({ path }) => path !== null)
  return `${above?.path ?? '/'}#${encodeURIComponent(crumb?.name.toLowerCase().replace(/\s+/g, '-') ?? '')}`
}

function serviceId({ head }: View) {
  return `${head.canonicalUrl}#service`
}

function serviceNode(view: View, service: OfferedService, provider: string): Service {
  return {
    '@type': 'Service',
    '@id': serviceId(view),
    name: service.name,
    serviceType: service.serviceType,
    url: view.head.canonicalUrl,
    ...(service.description && { description: service.description }),
    provider: { '@id': provider },
    areaServed: service.areas.flatMap((line) => placeNode(line) ?? []),
  }
}

// Hyde Park, contained in Austin, contained in Texas.
function placeNode(line: readonly PlaceName[]): Place | undefined {
  let place: Place | undefined
  for (const { name, kind } of line) {
    place = { '@type': PLACE_TYPES[kind], name, ...(place && { containedInPlace: place }) }
  }
  return place
}
