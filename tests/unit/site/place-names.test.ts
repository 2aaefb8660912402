import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullNameOf } from '#src/site/content/place-names.ts'
import { kindOfPlace } from '#src/taxonomies/kind-of-place.ts'
import type { PlaceKind } from '#src/taxonomies/place-kind.ts'
import { buildTermTree, type TermTree } from '#src/taxonomies/term-tree.ts'

/** A tree of lines such as `United States/Florida/Miami-Dade County:county/Miami`. */
function aTree(...lines: string[]): TermTree {
  const ids = new Map<string, number>()
  const terms = lines.flatMap((line) =>
    line.split('/').flatMap((_, depth, parts) => {
      const path = parts.slice(0, depth + 1).join('/')
      if (ids.has(path)) return []
      const id = ids.size + 1
      ids.set(path, id)
      const [name = '', kind] = (parts[depth] ?? '').split(':')
      const parentId = ids.get(parts.slice(0, depth).join('/')) ?? null
      const row = { id, parentId, slug: `term-${id}`, name, kind: (kind as PlaceKind) ?? null }
      return { ...row, taxonomyId: 1, description: null, position: id, formerSlugs: [] }
    }),
  )
  return buildTermTree(terms)
}

const kindsOf = (tree: TermTree, country: string) =>
  [...tree.byId.values()].map((term) => `${term.name} ${kindOfPlace(term, country)}`)
const namesOf = (tree: TermTree, country = 'US') =>
  [...tree.byId.values()].map((term) => fullNameOf(tree, term, country))

test('§2.6 the default kinds of a tree are country, state, city, area', () => {
  const tree = aTree('US/Texas/Austin/Hyde Park/North')
  assert.deepEqual(kindsOf(tree, 'US'), [
    'US country',
    'Texas state',
    'Austin city',
    'Hyde Park area',
    'North area',
  ])
})

test('one kind moves the levels below it; in a country without states the second level is counties', () => {
  assert.deepEqual(kindsOf(aTree('US/Florida/Miami-Dade:county/Miami/Brickell'), 'US').slice(2), [
    'Miami-Dade county',
    'Miami city',
    'Brickell area',
  ])
  assert.deepEqual(kindsOf(aTree('Ireland/Clare/Ennis'), 'IE').slice(1), ['Clare county', 'Ennis city'])
  const withProvince = aTree('Ireland/Munster:region/Clare/Ennis')
  assert.deepEqual(kindsOf(withProvince, 'IE').slice(2), ['Clare county', 'Ennis city'])
})

test('a place below a state or a country is a county if its name says so', () => {
  assert.deepEqual(kindsOf(aTree('US/Texas/Travis County/Austin/Hyde Park'), 'US').slice(2), [
    'Travis County county',
    'Austin city',
    'Hyde Park area',
  ])
  assert.deepEqual(kindsOf(aTree('US/Louisiana/Orleans Parish:city'), 'US').slice(2), ['Orleans Parish city'])
  assert.deepEqual(kindsOf(aTree('Texas/Travis County/Austin'), 'US').slice(1), [
    'Travis County county',
    'Austin city',
  ])
  assert.deepEqual(kindsOf(aTree('US/Texas/Countyline/Austin County'), 'US').slice(2), [
    'Countyline city',
    'Austin County area',
  ])
})

test('a city is named with its state, other places with their parent, and a country alone', () => {
  assert.deepEqual(namesOf(aTree('US/Texas/Austin/Hyde Park')), [
    'US',
    'Texas',
    'Austin, Texas',
    'Hyde Park, Austin',
  ])
  const counties = aTree('US/Florida/Miami-Dade County:county/Miami')
  assert.deepEqual(namesOf(counties).slice(2), ['Miami-Dade County, Florida', 'Miami, Florida'])
  assert.deepEqual(namesOf(aTree('Ireland/County Clare/Ennis'), 'IE').slice(1), [
    'County Clare',
    'Ennis, County Clare',
  ])
})

test('places with the same name get the shortest distinguishing addition', () => {
  const tree = aTree(
    'US/Ohio/Clark County:county/Springfield',
    'US/Ohio/Summit County:county/Springfield',
    'US/Illinois/Sangamon County:county/Springfield',
    'US/Texas/Austin/Downtown',
    'US/Minnesota/Austin/Downtown',
    'US/Georgia',
    'Georgia',
  )
  const names = namesOf(tree)
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(
    names.filter((name) => /Springfield|Downtown|Georgia/.test(name)),
    [
      'Springfield, Clark County, Ohio',
      'Springfield, Summit County, Ohio',
      'Springfield, Illinois',
      'Downtown, Austin, Texas',
      'Downtown, Austin, Minnesota',
      'Georgia, US',
      'Georgia',
    ],
  )
})
