import { sqliteEngine } from '../../support/database.ts'
import { testSaving } from './saving.ts'

testSaving(sqliteEngine())
