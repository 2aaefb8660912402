import { pgliteEngine } from '../../support/database.ts'
import { testCovering } from './covering.ts'
import { testSaving } from './saving.ts'

testSaving(pgliteEngine())
testCovering(pgliteEngine())
