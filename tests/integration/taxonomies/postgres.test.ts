import { postgresEngine } from '../../support/postgres-engine.ts'
import { testChanging } from './changing.ts'

testChanging(postgresEngine())
