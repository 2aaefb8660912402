import { pgliteEngine } from '../../support/database.ts'
import { testSaving } from './saving.ts'

testSaving(pgliteEngine())
