import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addUp,
  EVERY_PLACE,
  firstWithin,
  idOfKey,
  keyOfId,
  placeKey,
  serviceKey,
} from '#src/submissions/results/result-keys.ts'

test('a place or service is known by its ID, else by its slugs', () => {
  assert.equal(placeKey({ locationId: 12, locationPath: 'texas/austin' }), '#12')
  assert.equal(placeKey({ locationId: null, locationPath: 'texas/austin' }), '=texas/austin')
  assert.equal(placeKey(undefined), '')
  assert.equal(serviceKey({ serviceId: 3, serviceSlug: 'ac-repair' }), '#3')
  assert.equal(serviceKey({ serviceId: null, serviceSlug: 'ac-repair' }), '=ac-repair')
  assert.equal(serviceKey({ serviceId: null, serviceSlug: null }), '')
  assert.deepEqual([keyOfId(12), '=austin', ''].map(idOfKey), [12, undefined, undefined])
})

const VIEW = { day: '2026-11-20', service: '#3', place: '#12', source: 'ads:google', page: '/a' }

test('an event counts for its day, month, and year, and except by day for service, source, and page', () => {
  const sums = addUp([{ ...VIEW, views: 2 }], ['views'])
  const ofPlace = sums.filter(({ place }) => place === '#12')
  assert.deepEqual(
    ofPlace.map(({ period, dimension, subject }) => [period, dimension, subject]).sort(),
    [
      ['2026', 'all', ''],
      ['2026', 'page', '/a'],
      ['2026', 'service', '#3'],
      ['2026', 'source', 'ads:google'],
      ['2026-11', 'all', ''],
      ['2026-11', 'page', '/a'],
      ['2026-11', 'service', '#3'],
      ['2026-11', 'source', 'ads:google'],
      ['2026-11-20', 'all', ''],
    ].sort(),
  )
  const everywhere = sums.filter(({ place }) => place === EVERY_PLACE)
  assert.deepEqual([ofPlace.length, everywhere.length, sums.length], [9, 9, 18])
  assert.ok(sums.every(({ views }) => views === 2))
})

test('events of one sum are added in a fixed order', () => {
  const events = [
    { ...VIEW, views: 2, taps: 1 },
    { ...VIEW, day: '2026-11-19', place: '', views: 5, taps: 0 },
  ]
  const sums = addUp(events, ['views', 'taps'])
  assert.deepEqual(sums, addUp(events.toReversed(), ['views', 'taps']))
  const all = sums.find(
    ({ period, dimension, place }) => period === '2026-11' && dimension === 'all' && place === '#',
  )
  assert.deepEqual([all?.views, all?.taps], [7, 1])
  const here = sums.find(
    ({ period, dimension, place }) => period === '2026' && dimension === 'all' && place === '',
  )
  assert.deepEqual([here?.views, here?.taps], [5, 0])
})

test('a batch takes the first events up to a number of sums, and at least one', () => {
  const events = ['/a', '/a', '/b', '/c'].map((page, id) => ({ ...VIEW, page, id }))
  const idsWithin = (sums: number) => firstWithin(events, sums).map(({ id }) => id)
  // 18 sums of the first page, and 4 more of each other one.
  assert.deepEqual([1, 18, 21, 22, 26].map(idsWithin), [[0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2, 3]])
  assert.deepEqual(firstWithin([], 5), [])
})
