import { after } from 'node:test'
import { sqliteEngine } from '../../support/database.ts'
import { testDocumentRules } from './document-rules.ts'
import { testMigrations } from './migration-rules.ts'

const engine = sqliteEngine()
after(() => engine.close())
testDocumentRules(engine)
testMigrations(engine)
