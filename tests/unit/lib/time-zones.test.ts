import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTimeZone } from '#src/lib/locale/time-zones.ts'

for (const [country, machine, zone] of [
  ['IE', 'UTC', 'Europe/Dublin'],
  ['US', 'America/Chicago', 'America/Chicago'],
  ['US', 'UTC', undefined],
  ['US', 'Europe/Dublin', undefined],
] as const)
  test(`a site in ${country} made on a machine in ${machine} has the time zone ${zone}`, () =>
    assert.equal(findTimeZone(country, machine), zone))
