import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { serverProblem } from './connection-problem.ts'
import type { Deadlines } from './deadlines.ts'
import { LostAnswer } from './lost-answer.ts'
import { endsConnection } from './storage-failure.ts'

const KEEP_ALIVE_AFTER_MS = 10_000
const INT8 = 20

export interface PoolOptions {
  deadlines: Deadlines
  maxConnections: number
  /** Aborted, it breaks off all queries. */
  signal?: AbortSignal | undefined
}

/**
 * Opens a pool for Kysely where every query has a deadline. A connection that missed one is destroyed, and so are those
 * older than that moment before anybody gets them: after a silence each of them would cost another deadline. So is one that
 * the server said it ends.
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
    const prompt = new PromptClient(client, { answerMs: deadlines.answerMs, onSilence, signal })
    try {
      await prompt.query(sessionSettings(deadlines), [])
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

// Most sites need none of `pg` to start.
async function createPool(
  connectionString: string,
  { deadlines, maxConnections }: PoolOptions,
): Promise<Pool> {
  const { Pool, types: postgresTypes } = await import('pg')
  const pool = new Pool({
    connectionString,
    max: maxConnections,
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

// As a statement: PgBouncer refuses most settings at the start of a connection. The server, the role or the address may
// have switched `synchronous_commit` off; every other setting of it waits for the disk.
function sessionSettings({ lockMs, statementMs, idleInTransactionMs }: Deadlines): string {
  return `select set_config('lock_timeout', '${lockMs}', false),
    set_config('statement_timeout', '${statementMs}', false),
    set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false),
    case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', false) end`
}

/** A connection whose every query is answered, refused or given up in time. */
class PromptClient implements PostgresPoolClient {
  readonly openedAt = performance.now()
  readonly processID: number
  // Kysely's type has a second signature, for cursors, which are not used.
  readonly query = ((sql: string, parameters: readonly unknown[]) =>
    this.#ask(sql, parameters)) as unknown as PostgresPoolClient['query']
  readonly #client: PoolClient
  readonly #answerMs: number
  readonly #onSilence: () => void
  readonly #signal: AbortSignal | undefined
  #isEnded = false

  constructor(
    client: PoolClient,
    {
      answerMs,
      onSilence,
      signal,
    }: { answerMs: number; onSilence: () => void; signal: AbortSignal | undefined },
  ) {
    this.#client = client
    this.processID = (client as PoolClient & { processID: number }).processID
    this.#answerMs = answerMs
    this.#onSilence = onSilence
    this.#signal = signal
  }

  async #ask(sql: string, parameters: readonly unknown[]) {
    const giveUp = () => this.#giveUp()
    const timer = setTimeout(giveUp, this.#answerMs)
    this.#signal?.addEventListener('abort', giveUp)
    try {
      return await this.#client.query(sql, [...parameters])
    } catch (error) {
      // By `query_timeout` in DATABASE_URL, after which `pg` would wait for that answer for ever.
      if ((error as Error).message === 'Query read timeout') this.#giveUp()
      if (endsConnection(error)) this.#isEnded = true
      throw error
    } finally {
      clearTimeout(timer)
      this.#signal?.removeEventListener('abort', giveUp)
    }
  }

  release(mustEnd?: boolean) {
    const isBroken = mustEnd || this.#isEnded
    // A goodbye would wait for an answer too.
    if (isBroken) this.#destroy()
    this.#client.release(isBroken)
  }

  #giveUp() {
    this.#onSilence()
    this.#destroy(new LostAnswer(this.#answerMs))
  }

  // `pg` then fails what it waits for with this error, and its pool forgets the connection.
  #destroy(error?: Error) {
    const { connection } = this.#client as PoolClient & { connection: { stream: Socket } }
    connection.stream.destroy(error)
  }
}
