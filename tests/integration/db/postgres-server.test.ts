import { after } from 'node:test'
import { postgresEngine } from '../../support/database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testEditingAtOnce } from './editing-at-once.ts'
import { testIndexRules } from './index-rules.ts'
import { testMigrations } from './migration-rules.ts'
import { testPostgresConnection } from './postgres-connection.ts'
import { testSharedSnapshot } from './shared-snapshot.ts'

const url = process.env.TEST_DATABASE_URL
if (url) {
  const engine = postgresEngine(url)
  after(() => engine.close())
  testDocumentRules(engine)
  testIndexRules(engine)
  testMigrations(engine)
  testEditingAtOnce(engine)
  testPostgresConnection(url)
  testSharedSnapshot('PostgreSQL', () => url)
}
