import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmbeddableMap } from '#src/site/content/map-embed.ts'
import type { SiteContent, Testimonial } from '#src/site/content/site-content.ts'
import { testimonialsFor, testimonialsHere } from '#src/site/content/testimonials.ts'
import { aTree } from '../../support/places.ts'

const { bySlug: places } = aTree('texas/austin/hyde-park', 'texas/waco', 'ohio')
const placeOf = (slug: string) => {
  const place = places.get(slug)
  assert.ok(place, slug)
  return place
}

/** Content with these testimonials: a title, and a service or places. */
function contentWith(...some: [title: string, service: string | null, ...places: string[]][]): SiteContent {
  const testimonials = some.map(([title, service, ...slugs], index): [number, Testimonial] => [
    index + 1,
    {
      entry: { id: index + 1, data: service ? { service } : {} } as unknown as Testimonial['entry'],
      locationIds: new Set(slugs.map((slug) => placeOf(slug).id)),
      view: { title, quoteHtml: '', author: null, place: null },
    },
  ])
  return { testimonials: new Map(testimonials) } as unknown as SiteContent
}

const ALL = contentWith(
  ['other', 'heating'],
  ['service', 'cooling'],
  ['texas', 'heating', 'texas'],
  ['austin', 'heating', 'austin'],
  ['austin and service', 'cooling', 'austin'],
  ['waco', 'cooling', 'waco'],
)
const titlesOf = (views: { title: string }[]) => views.map(({ title }) => title)

for (const [place, service, titles] of [
  [undefined, undefined, ['other', 'service', 'texas']],
  [undefined, 'cooling', ['service', 'austin and service', 'waco']],
  ['austin', 'cooling', ['austin and service', 'austin', 'texas']],
  ['austin', undefined, ['austin', 'austin and service', 'texas']],
  ['hyde-park', 'cooling', ['austin and service', 'texas', 'austin']],
  ['texas', 'heating', ['texas', 'other', 'austin']],
  ['waco', 'cooling', ['waco', 'texas', 'service']],
  ['ohio', 'heating', ['other', 'texas', 'austin']],
] as const) {
  test(`§2.9 the best testimonials for ${service ?? 'any service'} in ${place ?? 'no place'}`, () => {
    const wanted = { count: 3, ...(service && { service }), ...(place && { place: placeOf(place) }) }
    assert.deepEqual(titlesOf(testimonialsFor(ALL, wanted)), titles)
  })
}

test('testimonials are selected once per service, place with testimonials, and number', () => {
  const content = contentWith(['texas', null, 'texas'], ['austin', null, 'austin'], ['other', null])
  const of = (place: string, count = 2) => testimonialsFor(content, { place: placeOf(place), count })
  const [texas, waco] = [of('texas'), of('waco')]
  assert.deepEqual([texas, waco].map(titlesOf), [
    ['texas', 'austin'],
    ['texas', 'austin'],
  ])
  assert.deepEqual(titlesOf(of('austin')), ['austin', 'texas'])
  assert.equal(of('austin'), of('austin'))
  assert.deepEqual(titlesOf(of('austin', 1)), ['austin'])
})

test('§2.9 a location service lists its own testimonials, or else the best ones', () => {
  const here = (own: unknown) =>
    titlesOf(testimonialsHere(ALL, { service: { slug: 'cooling' } as never, place: placeOf('austin'), own }))
  assert.deepEqual(here(' 6, 1 ,6,99'), ['waco', 'other'])
  for (const none of [undefined, '', '99', 'x', 6])
    assert.deepEqual(here(none), ['austin and service', 'austin', 'texas'], String(none))
})

test('only embeds of known maps may be in a frame', () => {
  for (const [address, isEmbeddable] of [
    ['https://www.google.com/maps/embed?pb=1', true],
    ['https://www.openstreetmap.org/export/embed.html?bbox=1', true],
    ['https://www.bing.com/maps/embed?h=1', true],
    ['https://www.google.com/maps/place/Austin', false],
    ['https://www.google.com:8443/maps/embed', false],
    ['http://www.google.com/maps/embed', false],
    ['https://maps.example.com/maps/embed', false],
    ['https://www.google.com/search/maps/embed', false],
    ['no address', false],
    [null, false],
  ] as const)
    assert.equal(isEmbeddableMap(address), isEmbeddable, String(address))
})
