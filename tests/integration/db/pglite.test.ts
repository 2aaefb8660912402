import { after } from 'node:test'
import { pgliteEngine } from '../../support/database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testIndexRules } from './index-rules.ts'
import { testMigrations } from './migration-rules.ts'
import { testReasons } from './reason-rules.ts'

const engine = pgliteEngine()
after(() => engine.close())
testDocumentRules(engine)
testIndexRules(engine)
testMigrations(engine)
testReasons(engine)
