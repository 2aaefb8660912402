import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#src/entries/entry-store.ts'
import type { ContentType } from '#src/entries/types/content-type-store.ts'
import { listedBelow, planAreas } from '#src/site/areas/area-plan.ts'
import { groupCities, type Places } from '#src/site/areas/areas.ts'
import { areaBranches, nameOfPart, serviceBranches } from '#src/site/areas/place-branches.ts'
import { growPlaces, type PlaceNode } from '#src/site/areas/place-nodes.ts'
import { aTree } from '../../support/places.ts'

/** Numbered places below `above`: `texas/city-0`. */
const below = (above: string, count: number, kind = 'city') =>
  Array.from({ length: count }, (_, number) => `${above}${kind}-${number}`)

/** Content with these lines of places and, for each service, the slugs of its places; by default all last ones. */
function contentOf(lines: string[], ...services: (readonly string[] | undefined)[]): Places {
  const locations = aTree(...lines)
  const last = lines.map((line) => line.split('/').at(-1) ?? '')
  const idsOf = (slugs: readonly string[]) =>
    new Set(slugs.map((slug) => locations.bySlug.get(slug)?.id ?? 0))
  const entries = services.map((_, index) => ({ id: index + 1, slug: `service-${index + 1}` }) as Entry)
  return {
    locations,
    settings: { country: 'US' },
    services: new Map(entries.map((entry) => [entry.id, entry])),
    places: new Map(services.map((slugs, index) => [index + 1, idsOf(slugs ?? last)])),
    types: new Map([['location_services', { routePattern: '/services/{service}/{place}' } as ContentType]]),
  }
}

const groupsOf = (content: Places) =>
  groupCities(content).map(({ parent, terms }) => [parent?.slug ?? null, terms.map(({ slug }) => slug)])

for (const [what, lines, offered, groups] of [
  [
    'cities by state, in tree order',
    ['usa/texas/austin', 'usa/ohio/akron', 'usa/texas/waco'],
    undefined,
    [
      ['texas', ['austin', 'waco']],
      ['ohio', ['akron']],
    ],
  ],
  [
    'without cities, the lowest places',
    ['usa/texas', 'usa/ohio'],
    ['usa', 'texas', 'ohio'],
    [['usa', ['texas', 'ohio']]],
  ],
  [
    'neighborhoods of a city without pages, but none of a listed city',
    ['usa/texas/austin/hyde-park', 'usa/texas/waco/downtown', 'usa/texas/waco/downtown/mall'],
    ['austin', 'hyde-park', 'downtown', 'mall'],
    [
      ['texas', ['austin']],
      ['waco', ['downtown']],
    ],
  ],
  [
    'not a place above a listed city',
    ['usa/texas/austin', 'usa/ohio'],
    ['usa', 'texas', 'austin', 'ohio'],
    [
      ['texas', ['austin']],
      ['usa', ['ohio']],
    ],
  ],
  ['nothing without pages', ['usa/texas/austin'], [], []],
] as const) {
  test(`§2.6 the list of places: ${what}`, () => {
    assert.deepEqual(groupsOf(contentOf([...lines], offered)), groups)
  })
}

test('a short list of places is on one page, and the footer takes places from each branch in turn', () => {
  const content = contentOf(['usa/texas/austin', 'usa/texas/waco', 'usa/ohio/akron'], undefined)
  const { cities, pages, paths, some } = planAreas(content)
  assert.equal(cities?.length, 2)
  assert.deepEqual(pages, [])
  assert.deepEqual(
    [...paths.values()],
    ['#in-austin', '#in-waco', '#in-akron'].map((id) => `/services${id}`),
  )
  assert.deepEqual(
    some.map(({ name, path }) => [name, path]),
    [
      ['Austin', '/services#in-austin'],
      ['Akron', '/services#in-akron'],
      ['Waco', '/services#in-waco'],
    ],
  )
})

test('the footer has twelve places at most', () => {
  assert.equal(planAreas(contentOf(below('usa/texas/', 13), undefined)).some.length, 12)
})

// Each city takes an entry, and so does each service there.
for (const [cities, isLong] of [
  [180, false],
  [181, true],
] as const)
  test(`a list of ${cities * 2} entries is ${isLong ? 'divided' : 'on one page'}`, () => {
    const plan = planAreas(contentOf(below('usa/texas/', cities), undefined))
    assert.equal(plan.cities === undefined, isLong)
    assert.equal(plan.pages.length > 0, isLong)
  })

test('pages of places below cities don’t make a list of cities long', () => {
  const lines = below('usa/texas/austin/', 200, 'area')
  const slugs = ['austin', ...lines.map((line) => line.split('/').at(-1) ?? '')]
  assert.equal(planAreas(contentOf(lines, slugs)).pages.length, 0)
  // But more than 500 places of one service do.
  const many = below('usa/texas/austin/', 500, 'area')
  const all = ['austin', ...many.map((line) => line.split('/').at(-1) ?? '')]
  assert.notEqual(planAreas(contentOf(many, all)).pages.length, 0)
})

test('places that don’t fit on a page have pages of their own, or share one of a part', () => {
  const content = contentOf([...below('usa/texas/', 190), ...below('usa/ohio/', 2, 'town')], undefined)
  const { pages, paths, some } = planAreas(content)
  assert.deepEqual(
    pages.map(({ path }) => path),
    [
      '/services/in/usa',
      '/services/in/texas',
      '/services/from/city-0',
      '/services/from/city-180',
      '/services/in/ohio',
    ],
  )
  const pathOf = (slug: string) => paths.get(content.locations.bySlug.get(slug)?.id ?? 0)
  assert.deepEqual(['usa', 'texas', 'city-0', 'city-189', 'ohio', 'town-1'].map(pathOf), [
    '/services/in/usa',
    '/services/in/texas',
    '/services/from/city-0#in-city-0',
    '/services/from/city-180#in-city-189',
    '/services/in/ohio',
    '/services/in/ohio#in-town-1',
  ])
  assert.equal(some[1]?.path, '/services/in/ohio#in-town-0')
})

test('links to pages of places show the places below that have pages too', () => {
  const content = contentOf([...below('usa/texas/', 170), ...below('usa/ohio/', 170, 'town')], undefined)
  const [usa] = growPlaces(content, [1])
  assert.ok(usa)
  const listed = (node: PlaceNode) => listedBelow(node).map(({ term }) => term.slug)
  assert.deepEqual(listed(usa), ['texas', 'ohio'])
  // Their cities fit on one page.
  assert.deepEqual(usa.below.flatMap(listed), [])
  const [branch] = areaBranches([usa])
  assert.deepEqual(
    branch?.places.map(({ name, path, count, places }) => [name, path, count, places.length]),
    [
      ['Texas', '/services/in/texas', 170, 0],
      ['Ohio', '/services/in/ohio', 170, 0],
    ],
  )
  // Too many for a list of links.
  const wide = growPlaces(contentOf(below('usa/', 200, 'state'), undefined), [1])
  assert.deepEqual(wide.flatMap(listed), [])
})

test('a list that is too long is linked in parts, each with its first and last place', () => {
  const nodes = growPlaces(contentOf(below('', 200), undefined), [1])
  assert.deepEqual(
    areaBranches(nodes).map(({ name, path, count }) => [name, path, count]),
    [
      ['City 0 to City 179', '/services/from/city-0', 180],
      ['City 180 to City 199', '/services/from/city-180', 20],
    ],
  )
  assert.equal(nameOfPart(nodes.slice(3, 5)), 'City 3 to City 4')
})

function branchesOf(content: Places) {
  const service = content.services.get(1)
  assert.ok(service)
  return serviceBranches({ ...content, areas: planAreas(content) }, service)
}

test('a service in a few places links to its page in each', () => {
  const content = contentOf(['usa/texas/austin/hyde-park', 'usa/texas/waco'], ['austin', 'hyde-park', 'waco'])
  const [usa] = branchesOf(content)
  assert.deepEqual(usa, {
    ...{ name: 'Usa', path: null, count: 3 },
    places: [
      {
        ...{ name: 'Texas', path: null, count: 3 },
        places: [
          {
            ...{ name: 'Austin', path: '/services/service-1/austin', count: 1 },
            places: [{ name: 'Hyde Park', path: '/services/service-1/hyde-park', count: 0, places: [] }],
          },
          { name: 'Waco', path: '/services/service-1/waco', count: 0, places: [] },
        ],
      },
    ],
  })
})

test('a service in more than 500 places links to the upper levels, each to its page or list', () => {
  const cities = [0, 1, 2].flatMap((state) => below(`usa/state-${state}/`, 170, `city-of-${state}`))
  const slugs = cities.map((line) => line.split('/').at(-1) ?? '')
  const [usa] = branchesOf(contentOf(cities, [...slugs, 'state-0']))
  assert.deepEqual([usa?.path, usa?.count], ['/services/in/usa', 511])
  assert.deepEqual(
    usa?.places.map(({ path, count, places }) => [path, count, places]),
    [
      ['/services/service-1/state-0', 170, []],
      ['/services/in/state-1', 170, []],
      ['/services/in/state-2', 170, []],
    ],
  )
  // Too many on one level: in parts, like all places.
  const flat = contentOf(below('', 501), undefined)
  assert.deepEqual(
    branchesOf(flat).map(({ path }) => path),
    ['/services/from/city-0', '/services/from/city-180', '/services/from/city-360'],
  )
})
