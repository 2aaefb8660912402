import { after } from 'node:test'
import { pgliteEngine } from '../../support/database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testMigrations } from './migration-rules.ts'

const engine = pgliteEngine()
after(() => engine.close())
testDocumentRules(engine)
testMigrations(engine)
