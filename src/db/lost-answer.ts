import { databaseFailures } from '../messages/server/database.ts'

/** A database that did not answer in time. It may or may not have done what was asked. */
export class LostAnswer extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(afterMs: number) {
    super(databaseFailures.noAnswer(afterMs / 1_000))
  }
}

/** A commit without an answer: what it wrote may or may not be stored. */
export class UncertainCommit extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(cause: unknown) {
    super(databaseFailures.uncertainCommit, { cause })
  }
}
