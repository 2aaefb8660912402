import { importTests } from '../support/import-tests.ts'

importTests('integration/{dashboard,inbox,notifications,taxonomies}')
