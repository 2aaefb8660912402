import { importTests } from '../support/import-tests.ts'

importTests('integration/{db,server}')
