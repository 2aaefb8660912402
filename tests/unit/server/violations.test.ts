import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readViolations } from '#src/server/csp-reports/read-violations.ts'

const former = (blocked: unknown, directive: unknown = 'img-src') => ({
  'csp-report': { 'effective-directive': directive, 'blocked-uri': blocked },
})
const current = (blockedURL: unknown, type = 'csp-violation') => ({
  type,
  body: { effectiveDirective: 'script-src-elem', blockedURL },
})

test('a violation names what was blocked by its origin, scheme, or keyword, never by a path', () => {
  for (const [address, blocked] of [
    ['inline', 'inline'],
    ['', ''],
    ['https://evil.example:8443/a?email=ann@example.com', 'https://evil.example:8443'],
    ['data:text/html,ann@example.com', 'data:'],
    ['Ann Smith', 'unknown'],
    ['a'.repeat(31), 'unknown'],
  ] as const) {
    assert.deepEqual(read(former(address)), [{ directive: 'img-src', blocked }], address)
    assert.deepEqual(read([current(address)]), [{ directive: 'script-src-elem', blocked }], address)
  }
})

test('reports of other types are left out, and a body that is no report is refused', () => {
  const violation = { directive: 'script-src-elem', blocked: 'inline' }
  assert.deepEqual(read([current('inline', 'deprecation'), current('inline'), 7, current('inline')]), [
    violation,
    violation,
  ])
  assert.deepEqual(read([]), [])
  assert.equal(read(Array.from({ length: 20 }, () => current('inline')))?.length, 20)
  for (const [name, body] of [
    ['too many reports', Array.from({ length: 21 }, () => current('inline'))],
    ['no directive', former('inline', null)],
    ['a directive that is a sentence', former('inline', 'Ann Smith')],
    ['a directive with an end', former('inline', 'img-src ann')],
    ['a directive that is too long', former('inline', `i${'a'.repeat(40)}`)],
    ['an address that is too long', former(`https://${'a'.repeat(200)}.example/`)],
    ['no address', former(7)],
    ['an object', {}],
    ['null', null],
  ] as const)
    assert.equal(read(body), undefined, name)
  assert.equal(readViolations(Buffer.from('{')), undefined)
})

function read(body: unknown) {
  return readViolations(Buffer.from(JSON.stringify(body)))
}
