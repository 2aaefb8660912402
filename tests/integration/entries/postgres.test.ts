import { postgresEngine } from '../../support/postgres-engine.ts'
import { testCovering } from './covering.ts'
import { testSaving } from './saving.ts'

testSaving(postgresEngine())
testCovering(postgresEngine())
