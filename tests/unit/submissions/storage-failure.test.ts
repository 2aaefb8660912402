import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LostAnswer, UncertainCommit } from '#src/db/lost-answer.ts'
import { isConstraintViolation, isStorageFailure } from '#src/db/storage-failure.ts'

function failure(code: string, message = 'it failed') {
  return Object.assign(new Error(message), { code })
}

test('contract §5 locked, full, or missing storage is a storage failure', () => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE']) {
    assert.equal(isStorageFailure(failure(code)), true, code)
  }
  for (const code of ['53100', '08006', '40001', '57P01', '55P03', 'ECONNREFUSED']) {
    assert.equal(isStorageFailure(failure(code)), true, code)
  }
  assert.equal(isStorageFailure(new Error('Connection terminated unexpectedly')), true)
})

test('contract §5 storage that times out is a storage failure', () => {
  for (const code of ['57014', '25P03', '25P04', 'ETIMEDOUT', 'ECONNABORTED', 'ENETUNREACH']) {
    assert.equal(isStorageFailure(failure(code)), true, code)
  }
  for (const message of [
    'Query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
  ]) {
    assert.equal(isStorageFailure(new Error(message)), true, message)
  }
  for (const error of [new LostAnswer(4_000), new UncertainCommit(new LostAnswer(4_000))]) {
    assert.equal(isStorageFailure(error), true, error.message)
  }
})

test('a rejected row and a bug aren’t storage failures', () => {
  for (const code of ['SQLITE_CONSTRAINT_FOREIGNKEY', 'SQLITE_ERROR', '23503', '42601']) {
    assert.equal(isStorageFailure(failure(code)), false, code)
  }
  for (const error of [new TypeError('x is not a function'), 'SQLITE_FULL', null, { code: 'SQLITE_FULL' }]) {
    assert.equal(isStorageFailure(error), false)
  }
})

test('a row that its table rejects is a constraint violation', () => {
  assert.equal(isConstraintViolation(failure('SQLITE_CONSTRAINT_FOREIGNKEY')), true)
  assert.equal(isConstraintViolation(failure('23503')), true)
  assert.equal(isConstraintViolation(failure('SQLITE_FULL')), false)
})
