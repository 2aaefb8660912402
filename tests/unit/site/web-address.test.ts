import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webAddress } from '#src/site/pages/text-of.ts'

test('an absolute http or https URL may be linked', () => {
  assert.equal(webAddress('https://example.com/map?q=a'), 'https://example.com/map?q=a')
  assert.equal(webAddress('http://example.com'), 'http://example.com/')
})

for (const text of [
  null,
  '',
  '/about',
  'example.com',
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:,a',
  'file:///a',
]) {
  test(`${JSON.stringify(text)} may not be linked`, () => assert.equal(webAddress(text), null))
}
