/** Deadlines of a PostgreSQL connection, in milliseconds. The server's are shorter, so that the reason is known. */
export interface Deadlines {
  /** Getting a free connection, or a new one. */
  connectMs: number
  /** Waiting for a lock that someone else holds. */
  lockMs: number
  statementMs: number
  /** A transaction without a statement; the server then ends it and frees its locks. */
  idleInTransactionMs: number
  /** Waiting for any answer. After that, the connection counts as dead and is never used again. */
  answerMs: number
}

/** Visitors and outboxes: a post is refused within 5 seconds, and an outbox continues within 10. */
export const PROMPT: Deadlines = {
  connectMs: 3_000,
  lockMs: 2_500,
  statementMs: 3_000,
  idleInTransactionMs: 10_000,
  answerMs: 3_500,
}

/** The admin and housekeeping, whose statements may read a lot. */
export const PATIENT: Deadlines = {
  connectMs: 5_000,
  lockMs: 5_000,
  statementMs: 30_000,
  idleInTransactionMs: 30_000,
  answerMs: 35_000,
}

/** Commands: a publish, a sync, or an export. They give up early on locks, because posts queue behind them. */
export const UNHURRIED: Deadlines = {
  connectMs: 10_000,
  lockMs: 15_000,
  statementMs: 3_600_000,
  idleInTransactionMs: 3_600_000,
  answerMs: 3_660_000,
}

/** Migrations, which try again while a table is locked. */
export const MIGRATING: Deadlines = { ...UNHURRIED, lockMs: 2_000 }
