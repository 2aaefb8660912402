import { databaseFailures } from '../messages/server/database.ts'

/** A database that did not answer in time. Whether it did what it was asked is unknown. */
export class LostAnswer extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(afterMs: number) {
    super(databaseFailures.noAnswer(afterMs / 1_000))
  }
}

/** A commit without an answer: what it wrote may be stored or not. */
export class UncertainCommit extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(cause: unknown) {
    super(databaseFailures.uncertainCommit, { cause })
  }
}
