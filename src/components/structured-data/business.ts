import type { ContactPoint, LocalBusiness, LocalBusinessLeaf, Organization } from 'schema-dts'
import type { OfferedService } from '../../site/content/offered-service.ts'
import type { LayoutView } from '../../site/pages/layout-view.ts'
import { openingHours } from './opening-hours.ts'
import { addressKey, postalAddress } from './postal-address.ts'

type Office = NonNullable<OfferedService['office']>

export function businessId({ siteUrl }: LayoutView): string {
  return `${siteUrl}/#business`
}

const known = new WeakMap<LayoutView, LocalBusiness | Organization>()

/** The business as the site's settings describe it. */
export function businessNode(layout: LayoutView): LocalBusiness | Organization {
  // Cached for all pages of a publish.
  const node = known.get(layout) ?? describeBusiness(layout)
  known.set(layout, node)
  return node
}

// Search engines require an address for a LocalBusiness; without one it is an Organization, which has no opening
// hours.
function describeBusiness(layout: LayoutView): LocalBusiness | Organization {
  const { address, openingHours: shown } = layout
  if (!address) return { '@type': 'Organization', ...describeOrganization(layout) }
  const hours = openingHours(shown)
  return typed(layout, {
    '@type': 'LocalBusiness',
    ...describeOrganization(layout),
    address: postalAddress(address, layout.country),
    ...(hours.length > 0 && { openingHoursSpecification: hours }),
  })
}

function describeOrganization(layout: LayoutView) {
  const image = layout.logo ?? layout.picture
  const contacts = layout.phones.flatMap(contactPoint)
  return {
    '@id': businessId(layout),
    name: layout.siteName,
    url: `${layout.siteUrl}/`,
    ...(layout.logo && { logo: layout.siteUrl + layout.logo.path }),
    ...(image && { image: layout.siteUrl + image.path }),
    ...(layout.tagline && { description: layout.tagline }),
    ...(layout.phone?.dial && { telephone: layout.phone.dial }),
    ...(contacts.length > 0 && { contactPoint: contacts }),
    ...(layout.email && { email: layout.email }),
    ...(layout.socials.length > 0 && { sameAs: layout.socials.map(({ url }) => url) }),
  }
}

/** Returns an office at another address than the business's own; undefined for its own. */
export function officeNode(layout: LayoutView, office: Office): LocalBusiness | undefined {
  const key = addressKey(office.address)
  const telephone = (office.phone ?? layout.phone)?.dial
  if (layout.address && key === addressKey(layout.address)) return undefined
  return typed(layout, {
    '@type': 'LocalBusiness',
    // The same address is the same office on every page.
    '@id': `${layout.siteUrl}/#office-${key}`,
    name: `${layout.siteName}, ${office.name}`,
    url: `${layout.siteUrl}/`,
    address: postalAddress(office.address, layout.country),
    ...(telephone && { telephone }),
    parentOrganization: { '@id': businessId(layout) },
  })
}

function contactPoint({ label, dial }: LayoutView['phones'][number]): ContactPoint[] {
  return dial === null ? [] : [{ '@type': 'ContactPoint', contactType: label, telephone: dial }]
}

// Every subtype has the properties of LocalBusiness.
function typed({ businessType }: LayoutView, node: LocalBusinessLeaf): LocalBusiness {
  return { ...node, '@type': businessType } as LocalBusiness
}
