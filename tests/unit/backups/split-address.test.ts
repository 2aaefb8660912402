import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitAddress } from '#src/backups/postgres-programs.ts'

test('the address for the programs of PostgreSQL never has the password, nor what only the driver knows', () => {
  assert.deepEqual(splitAddress('postgres://jo:p%40ss@db:5433/site?sslmode=no-verify&application_name=x'), {
    address: 'postgres://jo@db:5433/site?sslmode=require',
    password: 'p@ss',
  })
  assert.deepEqual(splitAddress('postgres://jo@db/site?password=secret&ssl=true'), {
    address: 'postgres://jo@db/site?sslmode=require',
    password: 'secret',
  })
})
