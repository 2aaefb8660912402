import { join } from 'node:path'
import { after } from 'node:test'
import { sqliteEngine, temporaryFolder } from '../../support/database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testIndexRules } from './index-rules.ts'
import { testMigrations } from './migration-rules.ts'
import { testReasons } from './reason-rules.ts'
import { testSharedSnapshot } from './shared-snapshot.ts'

const engine = sqliteEngine()
after(() => engine.close())
testDocumentRules(engine)
testIndexRules(engine)
testMigrations(engine)
testReasons(engine)
testSharedSnapshot('SQLite', (t) => `file:${join(temporaryFolder(t), 'signpost.db')}`)
