import { sqliteEngine } from '../../support/database.ts'
import { testChanging } from './changing.ts'

testChanging(sqliteEngine())
