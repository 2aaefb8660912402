import { prepareQuery as prepareOnce } from '../../src/db/statements/prepared-query.ts'

export * from '../../src/db/statements/prepared-query.ts'

/** Makes the text of a query at every run. Made once in a process, it would stay without the mutants in it. */
export const prepareQuery: typeof prepareOnce = (build) => (db, values) => prepareOnce(build)(db, values)
