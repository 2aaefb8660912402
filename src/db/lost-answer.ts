/** A database that did not answer in time. Whether it did what it was asked is unknown. */
export class LostAnswer extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(afterMs: number) {
    super(`The database did not answer within ${afterMs / 1_000} s (ETIMEDOUT)`)
  }
}

/** A commit without an answer: what it wrote may be stored or not. */
export class UncertainCommit extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(cause: unknown) {
    super('The connection was lost during a commit, so what it wrote may be stored or not', { cause })
  }
}
