import { databaseFailures } from '../messages/server/database.ts'

/** A database that did not respond in time. The statement may or may not have run. */
export class LostAnswer extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(afterMs: number) {
    super(databaseFailures.noAnswer(afterMs / 1_000))
  }
}

/** A commit without a response: its writes may or may not be stored. */
export class UncertainCommit extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(cause: unknown) {
    super(databaseFailures.uncertainCommit, { cause })
  }
}
