import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hasServer, needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { testDocumentRules } from './document-rules.ts'
import { testEditingAtOnce } from './editing-at-once.ts'
import { testIndexRules } from './index-rules.ts'
import { testMigrations } from './migration-rules.ts'
import { testPostgresConnection } from './postgres-connection.ts'
import { testReasons } from './reason-rules.ts'
import { testSharedSnapshot } from './shared-snapshot.ts'

test('the database rules pass on a PostgreSQL server', needsPostgres, () => {
  assert.ok(hasServer, 'TEST_DATABASE_URL is not set')
})

const engine = postgresEngine()
after(() => engine.close())
testDocumentRules(engine)
testIndexRules(engine)
testMigrations(engine)
testReasons(engine)

// These open several connections, which PGlite has not.
if (hasServer) {
  testEditingAtOnce(engine)
  testPostgresConnection(process.env.TEST_DATABASE_URL ?? '')
  testSharedSnapshot('PostgreSQL', async (t) => (await postgresDatabase(t)).url)
}
