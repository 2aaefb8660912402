import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHolder } from '#src/submissions/places/holder-of-slug.ts'

const [EARLY, SENT, LATE] = [
  '2026-01-01T00:00:00.000Z',
  '2026-06-01T00:00:00.000Z',
  '2026-11-01T00:00:00.000Z',
]

function aPlace(
  id: number,
  slug: string,
  { name = slug, former = [] as [string, string][], createdAt = EARLY } = {},
) {
  return {
    ...{ id, name, createdAt },
    slugs: [slug, ...former.map(([one]) => one)],
    former: former.map(([one, called]) => ({ slug: one, name: called })),
  }
}

const lead = (slug: string, name: string | null = slug) => ({ slug, name, at: SENT })

test('a lead without an ID belongs to the place with its slug, even after a rename', () => {
  const renamed = aPlace(1, 'inis', { former: [['ennis', 'ennis']] })
  assert.equal(findHolder([aPlace(2, 'kilkee'), renamed], lead('kilkee')), 2)
  assert.equal(findHolder([aPlace(2, 'kilkee'), renamed], lead('ennis')), 1)
  assert.equal(findHolder([aPlace(2, 'kilkee'), renamed], lead('ennis', null)), 1)
})

test('for a slug that moved to another place, name and time decide', () => {
  const renamed = aPlace(1, 'inis', { former: [['ennis', 'Ennis']] })
  const later = aPlace(2, 'ennis', { name: 'Ennis Road', createdAt: LATE })
  assert.equal(findHolder([renamed, later], lead('ennis', 'Ennis')), 1, 'the later one did not exist')
  assert.equal(findHolder([renamed, later], lead('ennis', 'Innis')), 1, 'whatever the other was called')
  const earlier = aPlace(3, 'ennis', { name: 'Ennis Road' })
  assert.equal(findHolder([renamed, earlier], lead('ennis', 'Ennis')), 1)
  assert.equal(findHolder([renamed, earlier], lead('ennis', 'Ennis Road')), 3)
  assert.equal(findHolder([renamed, earlier], lead('ennis', null)), 3, 'nothing says otherwise')
})

test('a lead of a deleted place belongs to none, unless the place was recreated', () => {
  assert.equal(findHolder([aPlace(1, 'kilkee')], lead('quilty')), 0)
  const again = aPlace(2, 'quilty', { name: 'Quilty', createdAt: LATE })
  assert.equal(findHolder([again], lead('quilty', 'Quilty')), 2)
  assert.equal(findHolder([again], lead('quilty', 'Quilty Bay')), 0)
})

test('among several former places the one that had the name and existed is chosen', () => {
  const first = aPlace(1, 'inis', { former: [['ennis', 'Innis']] })
  const second = aPlace(2, 'inish', { former: [['ennis', 'Ennis']] })
  const late = aPlace(3, 'inch', { former: [['ennis', 'Ennis']], createdAt: LATE })
  const current = (createdAt: string) => aPlace(9, 'ennis', { name: 'Ennis Road', createdAt })
  assert.equal(findHolder([first, second, current(LATE)], lead('ennis', 'Ennis')), 2)
  assert.equal(findHolder([first, second, current(EARLY)], lead('ennis', 'Ennis')), 2)
  assert.equal(findHolder([first, second], lead('ennis', 'Ennis')), 2)
  assert.equal(findHolder([first, second], lead('ennis', 'Quin')), 1)
  assert.equal(findHolder([late, current(LATE)], lead('ennis', 'Ennis')), 0)
  assert.equal(findHolder([late, second, current(LATE)], lead('ennis', 'Ennis')), 2)
  const sameMoment = aPlace(4, 'inch', { former: [['ennis', 'Ennis']], createdAt: SENT })
  assert.equal(findHolder([sameMoment, current(LATE)], lead('ennis', 'Quin')), 4)
})

test('a slug’s current holder is chosen if it existed and no other place fits the name better', () => {
  const renamed = aPlace(1, 'inis', { former: [['ennis', 'Ennis']] })
  const current = { name: 'Ennis Road', former: [['ennis', 'Ennis']] as [string, string][] }
  assert.equal(findHolder([renamed, aPlace(2, 'ennis', current)], lead('ennis', 'Ennis')), 2)
  assert.equal(findHolder([renamed, aPlace(2, 'ennis', current)], lead('ennis', 'Ennis Road')), 2)
  assert.equal(findHolder([renamed, aPlace(2, 'ennis', current)], lead('ennis', 'Quin')), 2)
  const made = { name: 'Ennis Road', createdAt: SENT }
  assert.equal(findHolder([renamed, aPlace(2, 'ennis', made)], lead('ennis', 'Quin')), 2)
  assert.equal(findHolder([renamed, aPlace(2, 'ennis', { createdAt: LATE })], lead('ennis', null)), 2)
})
