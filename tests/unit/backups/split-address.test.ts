import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitAddress } from '#src/backups/postgres-programs.ts'

test('the URL for PostgreSQL tools has no password or driver options', () => {
  assert.deepEqual(splitAddress('postgres://jo:p%40ss@db:5433/site?sslmode=no-verify&application_name=x'), {
    address: 'postgres://jo@db:5433/site?sslmode=require',
    password: 'p@ss',
  })
  assert.deepEqual(splitAddress('postgres://jo@db/site?password=secret&ssl=true'), {
    address: 'postgres://jo@db/site?sslmode=require',
    password: 'secret',
  })
})
