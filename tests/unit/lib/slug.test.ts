import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlug, slugOf } from '#src/lib/slug.ts'

for (const text of ['a', 'austin', 'ac-repair', '24-7-service', 'a'.repeat(80)]) {
  test(`"${text}" is a slug`, () => assert.equal(isSlug(text), true))
}

for (const text of [
  '',
  'Austin',
  'ac_repair',
  'a--b',
  '-a',
  'a-',
  'a/b',
  'a b',
  'é',
  'a\n',
  'a'.repeat(81),
]) {
  test(`${JSON.stringify(text)} isn’t a slug`, () => assert.equal(isSlug(text), false))
}

for (const [name, slug] of [
  ['  Ça & Là – São Paulo 2 ', 'ca-la-sao-paulo-2'],
  ['Straße', 'strasse'],
  ['Łódź, Tromsø, Ærøskøbing', 'lodz-tromso-aeroskobing'],
  ['…', ''],
  [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
] as const) {
  test(`the slug of "${name.slice(0, 30)}" is "${slug.slice(0, 30)}"`, () => assert.equal(slugOf(name), slug))
}
