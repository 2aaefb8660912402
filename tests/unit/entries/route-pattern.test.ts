import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRoutePattern, composeRoute, matchRoute } from '#src/entries/types/route-pattern.ts'

const LOCATION_SERVICE = '/services/{service_slug}/{location_slug}'

test('§2.9 rule 4: both placeholders match and compose the slug', () => {
  assert.equal(matchRoute(LOCATION_SERVICE, '/services/ac-repair/austin'), 'ac-repair/austin')
})

for (const [pattern, path, slug] of [
  ['/{slug}', '/about', 'about'],
  ['/services/{slug}', '/services/ac-repair', 'ac-repair'],
  ['/projects/{year}/in/{place}', '/projects/2024/in/austin', '2024/austin'],
] as const) {
  test(`${pattern} matches ${path}`, () => {
    assert.equal(matchRoute(pattern, path), slug)
    assert.equal(composeRoute(pattern, slug), path)
  })
}

for (const [pattern, path] of [
  ['/services/{slug}', '/services/ac-repair/austin'],
  ['/services/{slug}', '/services'],
  ['/services/{slug}', '/services/'],
  ['/services/{slug}', '/pages/ac-repair'],
  ['/{slug}', '/About'],
  ['/{slug}', '/..'],
  ['/{slug}', '/a%2Fb'],
] as const) {
  test(`${pattern} does not match ${path}`, () => {
    assert.equal(matchRoute(pattern, path), undefined)
  })
}

test('a slug whose parts don’t match the placeholders has no path', () => {
  assert.equal(composeRoute(LOCATION_SERVICE, 'ac-repair'), undefined)
  assert.equal(composeRoute('/{slug}', 'ac-repair/austin'), undefined)
})

for (const pattern of ['/{slug}', '/services/{slug}', LOCATION_SERVICE]) {
  test(`${pattern} is a usable pattern`, () => assert.equal(checkRoutePattern(pattern), undefined))
}

for (const [pattern, code] of [
  ['services/{slug}', 'route_start'],
  ['/services/{slug}/', 'route_end'],
  ['/services', 'route_placeholder_missing'],
  ['/{slug}/{slug}', 'route_placeholder_repeated'],
  ['/Services/{slug}', 'route_segment'],
  ['/a//{slug}', 'route_segment'],
  ['/{Slug}', 'route_segment'],
] as const) {
  test(`${pattern} is refused`, () => assert.equal(checkRoutePattern(pattern)?.code, code))
}
