import { importTests } from '../support/import-tests.ts'

importTests('integration/{forms,submissions}')
