import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeLine } from '#src/components/site/places/place-line.ts'

test('§2.6 a place is named with its city and region, even if both have the same name', () => {
  const lineOf = (name: string, city: string | null, region: string | null) =>
    placeLine({ name, city, region })
  assert.equal(lineOf('Hyde Park', 'Austin', 'Texas'), 'Hyde Park, Austin, Texas')
  assert.equal(lineOf('Austin', 'Austin', 'Texas'), 'Austin, Texas')
  assert.equal(lineOf('Texas', null, 'Texas'), 'Texas')
  assert.equal(lineOf('United States', null, null), 'United States')
  assert.equal(lineOf('New York', null, 'New York'), 'New York')
  assert.equal(lineOf('New York', 'New York', 'New York'), 'New York, New York')
  assert.equal(lineOf('Soho', 'New York', 'New York'), 'Soho, New York, New York')
})
