import { importTests } from '../support/import-tests.ts'

importTests('integration/{auth,backups,roles}')
