import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'
import { UncertainCommit } from '../lost-answer.ts'
import { allowSendingAhead, sendAhead, takeSentAhead } from './pipeline.ts'
import { openPool, type PoolOptions } from './postgres-pool.ts'

// An error of the server itself has a code of five characters, such as 40001; then nothing was committed. EPIPE is none.
const SERVER_ERROR = /^(?=.*\d)[0-9A-Z]{5}$/
// The server ends a session with these, and may have committed before.
const SESSION_ENDED = /^(08|57P)/

/** Kysely over a pool with deadlines. */
export function postgresDialect(connectionString: string, options: PoolOptions): PostgresDialect {
  return new DeadlineDialect({ pool: () => openPool(connectionString, options) })
}

class DeadlineDialect extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0]

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config)
    this.#config = config
  }

  override createDriver() {
    return new HonestDriver(this.#config)
  }
}

class HonestDriver extends PostgresDriver {
  override async acquireConnection(options?: Parameters<PostgresDriver['acquireConnection']>[0]) {
    const connection = await super.acquireConnection(options)
    allowSendingAhead(connection)
    return connection
  }

  // The first statement is sent with the begin, which saves a round trip.
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: Parameters<PostgresDriver['beginTransaction']>[1],
  ) {
    if (settings.isolationLevel || settings.accessMode) return super.beginTransaction(connection, settings)
    sendAhead(connection, CompiledQuery.raw('begin'))
  }

  override async commitTransaction(connection: DatabaseConnection) {
    const earlier = takeSentAhead(connection)
    try {
      const commit = super.commitTransaction(connection)
      // A failed statement explains why nothing was committed.
      const [failed] = (await Promise.allSettled([...earlier, commit])).filter(isRejected)
      if (failed) throw failed.reason
    } catch (error) {
      throw isAnswer(error) ? error : new UncertainCommit(error)
    }
  }

  // A failed rollback would hide the original error; its connection is destroyed, and the server rolls back.
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]) {
    takeSentAhead(connection)
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

function isRejected(answer: PromiseSettledResult<unknown>): answer is PromiseRejectedResult {
  return answer.status === 'rejected'
}

function isAnswer(error: unknown): boolean {
  const { name, code } = error as Error & { code?: string }
  if (name === 'AbortedTransactionError') return true
  return code !== undefined && SERVER_ERROR.test(code) && !SESSION_ENDED.test(code)
}
