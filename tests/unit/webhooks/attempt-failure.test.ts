import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConnectionFailure,
  connectFailureKind,
  describeFailure,
} from '#src/webhooks/sending/attempt-failure.ts'

const coded = (code: string, name = 'Error') => Object.assign(new Error('said'), { code, name })

for (const [code, kind] of [
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['EPROTO', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_E2', 'tls'],
] as const)
  test(`a connection that fails with ${code} is logged as ${kind}`, () => {
    assert.equal(connectFailureKind(coded(code)), kind)
  })

test('a connection that fails at every address is refused; one without a code is a TLS failure', () => {
  assert.equal(connectFailureKind(new AggregateError([])), 'refused')
  assert.equal(connectFailureKind(new Error('said')), 'tls')
})

test('a failed request has its connection’s kind, or that of the invalid response', () => {
  const kindOf = (error: unknown) => describeFailure(error).failureKind
  assert.equal(kindOf(new ConnectionFailure('blocked_address', 'no')), 'blocked_address')
  assert.equal(kindOf(coded('', 'TimeoutError')), 'timeout')
  assert.equal(kindOf(coded('UND_ERR_HEADERS_TIMEOUT')), 'timeout')
  assert.equal(kindOf(coded('UND_ERR_HEADERS_OVERFLOW')), 'too_large')
  assert.equal(kindOf(coded('UND_ERR_SOCKET')), 'reset')
  assert.equal(kindOf(new Error('x')), 'reset')
})

test('the log has the error’s message, or a clearer one', () => {
  const messageOf = (error: unknown) => describeFailure(error).message
  assert.equal(messageOf(new Error('other side closed')), 'other side closed')
  for (const said of ['bad upgrade', 'bad response']) {
    assert.notEqual(messageOf(new Error(said)), said)
    assert.match(messageOf(new Error(said)), /\S/)
  }
  assert.equal(messageOf('text'), 'text')
})
