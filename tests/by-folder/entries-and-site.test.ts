import { importTests } from '../support/import-tests.ts'

importTests('integration/{entries,site,versions}')
