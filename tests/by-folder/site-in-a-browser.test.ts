import { importTests } from '../support/import-tests.ts'

importTests('e2e/site')
