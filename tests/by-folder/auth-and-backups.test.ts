import { importTests } from '../support/import-tests.ts'

importTests('integration/{auth,backups,files,privacy,roles}')
