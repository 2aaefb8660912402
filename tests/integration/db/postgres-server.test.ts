import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresEngine } from '../../support/database.ts'
import { needsPostgres } from '../../support/postgres-database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testEditingAtOnce } from './editing-at-once.ts'
import { testIndexRules } from './index-rules.ts'
import { testMigrations } from './migration-rules.ts'
import { testPostgresConnection } from './postgres-connection.ts'
import { testReasons } from './reason-rules.ts'
import { testSharedSnapshot } from './shared-snapshot.ts'

const url = process.env.TEST_DATABASE_URL

test('the rules of the database are tried on a PostgreSQL server', needsPostgres, () => {
  assert.ok(url, 'TEST_DATABASE_URL is not set')
})

if (url) {
  const engine = postgresEngine(url)
  after(() => engine.close())
  testDocumentRules(engine)
  testIndexRules(engine)
  testMigrations(engine)
  testReasons(engine)
  testEditingAtOnce(engine)
  testPostgresConnection(url)
  testSharedSnapshot('PostgreSQL', () => url)
}
