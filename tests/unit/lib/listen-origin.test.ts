import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocalHost, listenOrigin } from '#src/lib/listen-origin.ts'

for (const [host, origin] of [
  ['127.0.0.1', 'http://127.0.0.1:4321'],
  ['::1', 'http://[::1]:4321'],
  ['www.example.com', 'http://www.example.com:4321'],
  ['0.0.0.0', 'http://localhost:4321'],
  ['::', 'http://localhost:4321'],
] as const) {
  test(`contract §2 HOST=${host} is shown as ${origin}`, () =>
    assert.equal(listenOrigin({ host, port: 4321 }), origin))
}

for (const [host, isLocal] of [
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['www.example.com', false],
  ['', false],
] as const)
  test(`the host ${host || 'without a name'} is ${isLocal ? '' : 'not '}this computer`, () =>
    assert.equal(isLocalHost(host), isLocal))
