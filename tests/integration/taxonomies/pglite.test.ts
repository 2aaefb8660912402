import { pgliteEngine } from '../../support/database.ts'
import { testChanging } from './changing.ts'

testChanging(pgliteEngine())
