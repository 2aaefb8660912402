import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { serverProblem } from '../connection-problem.ts'
import type { Deadlines } from '../deadlines.ts'
import { LostAnswer } from '../lost-answer.ts'
import { endsConnection } from '../storage-failure.ts'

const KEEP_ALIVE_AFTER_MS = 10_000
const INT8 = 20
const BEGIN = /^(begin|start transaction)[^;]*/

export interface PoolOptions {
  deadlines: Deadlines
  maxConnections: number
  /** Aborts all queries. */
  signal?: AbortSignal | undefined
}

/**
 * Opens a pool for Kysely where every query has a deadline. A connection that missed one is destroyed, and so are older
 * connections before they are used: after an outage each would cost another deadline. So is one that the server
 * announced to close.
 */
export async function openPool(connectionString: string, options: PoolOptions): Promise<PostgresPool> {
  const { deadlines, signal } = options
  const pool = await createPool(connectionString, options)
  const clients = new WeakMap<PoolClient, PromptClient>()
  let silentAt = Number.NEGATIVE_INFINITY
  const onSilence = () => {
    silentAt = performance.now()
  }

  async function prepare(client: PoolClient): Promise<PromptClient> {
    const prompt = new PromptClient(client, { deadlines, onSilence, signal })
    try {
      await prompt.settle()
    } catch (error) {
      prompt.release(true)
      throw error
    }
    clients.set(client, prompt)
    return prompt
  }

  async function connect(): Promise<PromptClient> {
    for (;;) {
      const client = await pool.connect()
      const known = clients.get(client)
      if (!known) return prepare(client)
      if (known.openedAt > silentAt) return known
      known.release(true)
    }
  }

  return {
    connect: () =>
      connect().catch((error: unknown) => {
        throw serverProblem(error, connectionString)
      }),
    end: () => pool.end(),
    options: pool.options,
  }
}

// Most sites start without loading `pg`.
async function createPool(
  connectionString: string,
  { deadlines, maxConnections }: PoolOptions,
): Promise<Pool> {
  const { Pool, types: postgresTypes } = await import('pg')
  const pool = new Pool({
    connectionString,
    max: maxConnections,
    // Statements of a transaction may go without waiting for each other's answers, see pipeline.ts.
    pipeline: true,
    connectionTimeoutMillis: deadlines.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? Number : postgresTypes.getTypeParser(oid, format as 'text'),
    },
  })
  // A connection that the server ends is an event, and without a listener the end of this process: of an idle one at the
  // pool, which has already forgotten it, and of one within a transaction, whose next query fails, at itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

// As statements: PgBouncer refuses most settings at the start of a connection. The server, the role or the address may
// have switched `synchronous_commit` off; every other setting of it waits for the disk. Compiling a query takes a quarter of
// a second, and the planner asks for it where it guesses too many rows.
function settings(
  { lockMs, statementMs, idleInTransactionMs }: Deadlines,
  { until }: { until: 'session ends' | 'transaction ends' },
): string {
  const isLocal = until === 'transaction ends'
  return `set_config('lock_timeout', '${lockMs}', ${isLocal}),
    set_config('statement_timeout', '${statementMs}', ${isLocal}),
    set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', ${isLocal}),
    set_config('jit', 'off', ${isLocal}),
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', ${isLocal}) end`
}

// A server that lost power, or its network, holds its locks for as long as the database keeps its connection: without
// these, for a quarter of an hour.
const VANISHED_CLIENT = `set_config('tcp_user_timeout', '30000', false),
  set_config('tcp_keepalives_idle', '10', false),
  set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '4', false)`

/** A connection whose queries all succeed, fail, or time out within their deadline. */
class PromptClient implements PostgresPoolClient {
  readonly openedAt = performance.now()
  readonly processID: number
  // Kysely's type has a second signature, for cursors, which are not used.
  readonly query = ((sql: string, parameters: readonly unknown[]) =>
    this.#ask(sql, parameters)) as unknown as PostgresPoolClient['query']
  readonly #client: PoolClient
  readonly #deadlines: Deadlines
  readonly #onSilence: () => void
  readonly #signal: AbortSignal | undefined
  #isEnded = false
  #isShared = false

  constructor(
    client: PoolClient,
    {
      deadlines,
      onSilence,
      signal,
    }: { deadlines: Deadlines; onSilence: () => void; signal: AbortSignal | undefined },
  ) {
    this.#client = client
    this.processID = (client as PoolClient & { processID: number }).processID
    this.#deadlines = deadlines
    this.#onSilence = onSilence
    this.#signal = signal
  }

  /**
   * Sets the deadlines of the session, or finds out that the session is shared: PgBouncer lends one to many clients in
   * turn, so the settings of one would apply to the others. Then each transaction sets its own.
   */
  async settle() {
    const ownSession = `select ${settings(this.#deadlines, { until: 'session ends' })}, ${VANISHED_CLIENT} where pg_backend_pid() = ${this.processID}`
    const { rows } = await this.#ask(ownSession, [])
    this.#isShared = rows.length === 0
  }

  async #ask(sql: string, parameters: readonly unknown[]) {
    const giveUp = () => this.#giveUp()
    const timer = setTimeout(giveUp, this.#deadlines.answerMs)
    this.#signal?.addEventListener('abort', giveUp)
    this.#gatherWrites()
    try {
      return await this.#client.query(this.#isShared ? this.#withDeadlines(sql) : sql, [...parameters])
    } catch (error) {
      // Caused by `query_timeout` in DATABASE_URL, after which `pg` would wait for that response forever.
      if ((error as Error).message === 'Query read timeout') this.#giveUp()
      if (endsConnection(error)) this.#isEnded = true
      throw error
    } finally {
      clearTimeout(timer)
      this.#signal?.removeEventListener('abort', giveUp)
    }
  }

  // In the same packet as the begin.
  #withDeadlines(sql: string): string {
    const set = `; select ${settings(this.#deadlines, { until: 'transaction ends' })}`
    return sql.replace(BEGIN, (begin) => begin + set)
  }

  release(mustEnd?: boolean) {
    const isBroken = mustEnd || this.#isEnded
    // A graceful close would wait for a response too.
    if (isBroken) this.#destroy()
    this.#client.release(isBroken)
  }

  #giveUp() {
    this.#onSilence()
    this.#destroy(new LostAnswer(this.#deadlines.answerMs))
  }

  // Statements sent one after another leave in one packet.
  #gatherWrites() {
    const stream = this.#stream()
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  // `pg` then fails what it waits for with this error, and its pool forgets the connection.
  #destroy(error?: Error) {
    this.#stream().destroy(error)
  }

  #stream(): Socket {
    return (this.#client as PoolClient & { connection: { stream: Socket } }).connection.stream
  }
}
