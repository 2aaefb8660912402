import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkGraph } from '#src/components/structured-data/check-graph.ts'
import { openingHours } from '#src/components/structured-data/opening-hours.ts'
import { pageGraph } from '#src/components/structured-data/page-graph.ts'
import { addressKey, postalAddress } from '#src/components/structured-data/postal-address.ts'
import { toLayoutView } from '#src/site/pages/layout-view.ts'
import type { PageView } from '#src/site/pages/page.ts'
import { toPhoneView } from '#src/site/settings/phone-view.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { aPicture } from '../../support/pictures.ts'

const OFFICE = 'Bluebonnet\n1218 Limestone Yard Road\nAustin, TX 78744'

const LOGO = aPicture({ name: 'logo.png', sha256: 'a1'.repeat(32), width: 960, height: 480 })

function aView(changes: Partial<PageView> = {}, more: object = {}): PageView {
  const known = { name: 'Bluebonnet', business_type: 'Plumber', address: OFFICE }
  const settings = siteSettings.parse({ ...known, ...more })
  return {
    layout: toLayoutView(settings, {
      siteUrl: 'https://example.com',
      services: [],
      pages: [],
      areas: [],
      defaultForm: undefined,
      pictures: new Map([[LOGO.name, LOGO]]),
    }),
    head: {
      title: 'AC repair in Austin',
      description: 'Cool again',
      canonicalUrl: 'https://example.com/services/ac-repair/austin',
      isHidden: false,
    },
    breadcrumbs: [
      { name: 'Home', path: '/' },
      { name: 'Texas', path: null },
      { name: 'Austin', path: '/services/ac-repair/austin' },
    ],
    service: {
      name: 'AC repair in Austin',
      serviceType: 'AC repair',
      description: null,
      areas: [
        [
          { name: 'United States', kind: 'country' },
          { name: 'Texas', kind: 'state' },
          { name: 'Austin', kind: 'city' },
        ],
      ],
      office: null,
    },
    detail: {},
    ...changes,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the graph is read as the JSON it becomes
function nodesOf(view: PageView): Record<string, any> {
  const graph = JSON.parse(JSON.stringify(pageGraph(view)))
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return Object.fromEntries(graph['@graph'].map((node: any) => [node['@id'].replace(/.*#/, ''), node]))
}

test('the business has the logo of the settings, in its smallest size', () => {
  const view = aView({}, { logo: LOGO.name })
  const path = '/_astro/picture-a1a1a1a1a1a1a1a1-480.webp'
  assert.deepEqual(view.layout.logo, { path, width: 480, height: 240, showsName: true, dark: null })
  assert.equal(nodesOf(view).business.logo, `https://example.com${path}`)
  assert.equal(nodesOf(aView()).business.logo, undefined)
  assert.equal('logo' in siteSettings.parse({ name: 'Bluebonnet' }), false)
})

test('opening hours are parsed from text, and anything else is left out', () => {
  const read = (days: string, hours: string) => openingHours([{ days, hours }])[0]
  assert.deepEqual(read('Monday to Friday', '7 am to 7:30 pm'), {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
    opens: '07:00',
    closes: '19:30',
  })
  assert.deepEqual(Object.values(read('Saturday', '08.00 – 16:00') ?? {}).slice(1), [
    ['Saturday'],
    '08:00',
    '16:00',
  ])
  for (const [hours, opens, closes] of [
    ['7 to 9 pm', '19:00', '21:00'],
    ['7 to 9 am', '07:00', '09:00'],
    ['11 am to 2 pm', '11:00', '14:00'],
  ] as const)
    assert.deepEqual(Object.values(read('Monday', hours) ?? {}).slice(2), [opens, closes], hours)
  assert.deepEqual(Object.values(read('Friday-Sunday', '12 am to 12 pm') ?? {}).slice(2), ['00:00', '12:00'])
  assert.equal(read('Sunday and holidays', 'emergency calls only'), undefined)
  assert.equal(read('Monday', 'closed'), undefined)
  assert.equal(read('Monday', '25 to 26'), undefined)
})

test('an address in a known format is split into parts, otherwise it is a street', () => {
  assert.deepEqual(postalAddress(OFFICE, 'US'), {
    '@type': 'PostalAddress',
    streetAddress: '1218 Limestone Yard Road',
    addressLocality: 'Austin',
    addressRegion: 'TX',
    postalCode: '78744',
    addressCountry: 'US',
  })
  assert.deepEqual(postalAddress(OFFICE, null), postalAddress(OFFICE, 'US'))
  const berlin = { '@type': 'PostalAddress', streetAddress: 'Hauptstraße 1, 10115 Berlin' }
  assert.deepEqual(postalAddress('Hauptstraße 1\n10115 Berlin', 'DE'), { ...berlin, addressCountry: 'DE' })
  assert.deepEqual(postalAddress('Hauptstraße 1\n10115 Berlin', null), berlin)
  assert.equal(
    addressKey(OFFICE),
    addressKey('Bluebonnet, Austin shop\n1218 Limestone Yard Road\nAustin, TX 78744'),
  )
})

test('the graph has the site, the business with its type, the page, the breadcrumb, and the service', () => {
  const nodes = nodesOf(aView())
  assert.deepEqual(
    Object.values(nodes).map((node) => node['@type']),
    ['WebSite', 'Plumber', 'WebPage', 'BreadcrumbList', 'Service'],
  )
  assert.deepEqual(nodes.service.areaServed, [
    {
      '@type': 'City',
      name: 'Austin',
      containedInPlace: {
        '@type': 'State',
        name: 'Texas',
        containedInPlace: { '@type': 'Country', name: 'United States' },
      },
    },
  ])
  assert.equal(nodes.service.provider['@id'], 'https://example.com/#business')
  assert.doesNotMatch(JSON.stringify(nodes), /review|rating/i)
})

test('§4 the breadcrumb has every visible step; one without a page belongs to the page before it', () => {
  const breadcrumbs = [
    { name: 'Home', path: '/' },
    { name: 'AC repair', path: '/services/ac-repair' },
    { name: 'Texas', path: null },
    { name: 'Austin', path: '/services/ac-repair/austin' },
  ]
  const { itemListElement } = nodesOf(aView({ breadcrumbs })).breadcrumb
  assert.deepEqual(
    itemListElement.map(({ position, name, item }: Record<string, unknown>) => [position, name, item]),
    [
      [1, 'Home', 'https://example.com/'],
      [2, 'AC repair', 'https://example.com/services/ac-repair'],
      [3, 'Texas', 'https://example.com/services/ac-repair#texas'],
      [4, 'Austin', 'https://example.com/services/ac-repair/austin'],
    ],
  )
})

test('phone numbers are E.164, and undialable ones are left out', () => {
  const phones = [
    { label: 'Emergencies', number: '087 123 4567' },
    { label: 'Old', number: '555' },
  ]
  const { business } = nodesOf(aView({}, { country: 'IE', phone: '+353 (0)61 555 0142', phones }))
  assert.equal(business.telephone, '+353615550142')
  assert.deepEqual(business.contactPoint, [
    { '@type': 'ContactPoint', contactType: 'Emergencies', telephone: '+353871234567' },
  ])
  const phone = '+353 (0)61 555 0142 / 087 123 4567'
  assert.equal(nodesOf(aView({}, { country: 'IE', phone })).business.telephone, undefined)
})

test('an office elsewhere is part of the business with one ID on every page; the main address is the business', () => {
  const { service } = aView()
  assert.ok(service)
  const withOffice = (address: string) =>
    nodesOf(
      aView({
        service: {
          ...service,
          office: { name: 'Houston', address, phone: toPhoneView('713 555 0142', 'US') },
        },
      }),
    )
  const elsewhere = withOffice('5602 Tallow Bend\nHouston, TX 77008')
  const office = elsewhere['office-5602-tallow-bend-houston-tx-77008']
  assert.equal(office.telephone, '+17135550142')
  assert.equal(office.parentOrganization['@id'], 'https://example.com/#business')
  assert.equal(elsewhere.service.provider['@id'], office['@id'])
  assert.equal(withOffice(OFFICE).service.provider['@id'], 'https://example.com/#business')
  const idOf = (address: string) => withOffice(address).service.provider['@id']
  assert.notEqual(idOf('Ερμού 10\nΑθήνα 105 63'), idOf('Σταδίου 10\nΑθήνα 105 63'))
  assert.equal(idOf('Türkenstraße 5'), idOf('Tu\u0308rkenstraße 5'))
})

for (const [what, view, problem] of [
  ['an empty text', aView({ head: { ...aView().head, description: '' } }), /webpage description is empty/],
  [
    'an address that is none',
    aView({ head: { ...aView().head, canonicalUrl: 'austin' } }),
    /no absolute @id/,
  ],
] as const) {
  test(`a graph with ${what} is refused`, () => {
    assert.throws(() => checkGraph(pageGraph(view), view), problem)
  })
}

test('a graph with a wrong breadcrumb or a dangling reference is refused', () => {
  const view = aView()
  const graph = pageGraph(view)
  checkGraph(graph, view)
  assert.throws(() => checkGraph(graph, { breadcrumbs: view.breadcrumbs.slice(1) }), /not the visible one/)
  const nodes = graph['@graph'].filter((node) => (node as { '@type': string })['@type'] !== 'Service')
  assert.throws(
    () => checkGraph({ ...graph, '@graph': nodes }, view),
    /refers to .*#service, which is not there/,
  )
})

test('a county is neither a state nor a city, and a city below it is still a city', () => {
  const kinds = ['country', 'state', 'region', 'county', 'city', 'area'] as const
  const areas = [kinds.map((kind) => ({ name: kind, kind }))]
  const { service } = aView()
  assert.ok(service)
  let place = nodesOf(aView({ service: { ...service, areas } })).service.areaServed[0]
  const types: string[] = []
  for (; place; place = place.containedInPlace) types.unshift(place['@type'])
  assert.deepEqual(types, ['Country', 'State', 'AdministrativeArea', 'AdministrativeArea', 'City', 'Place'])
})

test('a business without an address is an organization, because search engines refuse it as a local business', () => {
  const hours = [{ days: 'Monday', hours: '7 am to 7 pm' }]
  const { business } = nodesOf(aView({}, { address: null, phone: '(512) 555-0142', opening_hours: hours }))
  assert.equal(business['@type'], 'Organization')
  assert.deepEqual([business.address, business.openingHoursSpecification], [undefined, undefined])
  assert.equal(business.telephone, '+15125550142')
  assert.ok(nodesOf(aView({}, { opening_hours: hours })).business.openingHoursSpecification)
})

test('a page’s primary image is its photo and the business’s its logo, or else the generated picture', () => {
  const site = aView().layout.picture?.path
  const drawn = nodesOf(aView())
  assert.equal(drawn.webpage.primaryImageOfPage.url, `https://example.com${site}`)
  assert.equal(drawn.business.image, `https://example.com${site}`)
  const head = { ...aView().head, photo: '/_astro/picture-1.webp', picture: { path: '/og/1.png', alt: 'x' } }
  const shown = nodesOf(aView({ head }, { logo: LOGO.name }))
  assert.equal(shown.webpage.primaryImageOfPage.url, 'https://example.com/_astro/picture-1.webp')
  assert.equal(shown.business.image, shown.business.logo)
})
