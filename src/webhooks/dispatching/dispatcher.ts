import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Agent } from 'undici'
import { engineOf } from '../../db/dialects.ts'
import type { Schema } from '../../db/schema.ts'
import { createAlarm } from '../../lib/background/alarm.ts'
import { createLeaseWatch } from '../../lib/background/lease-watch.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { Log } from '../../lib/log.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { Origins } from '../body/submission-meta.ts'
import { createDestinationPolicy } from '../sending/destination-address.ts'
import { createDestinationAgent, type Resolve } from '../sending/destination-agent.ts'
import type { Attempt } from '../sending/send-attempt.ts'
import { createWebhookReader, type WebhookReader } from '../sending/webhook-reader.ts'
import { AttemptRunner, type UnrecordedAttempt } from './attempt-runner.ts'
import { mendSchedule } from './claim-due-deliveries.ts'
import { releaseClaims, renewClaims } from './delivery-claim-store.ts'
import { gatherAttempts } from './gather-attempts.ts'
import { logTurn } from './log-turn.ts'
import { recordApart } from './record-apart.ts'
import type { FinishedAttempt, RecordOptions } from './record-attempts.ts'
import { createRest } from './rest-after-failures.ts'
import { createSlotShares } from './slot-shares.ts'
import { giveBack, type Turn, takeTurn } from './take-turn.ts'

const MAX_IN_FLIGHT = 32
const MAX_PER_ORIGIN = 8
const POLL_MS = 1_000
// Short, so that another process soon takes over from a dead one; renewed while this one lives.
const LEASE_MS = 4_000
const RENEW_AFTER_MS = 1_500
const STOP_WITHIN_MS = 8_000
const LOOK_FOR_DEAD_MS = 500
const CLOCK_SET_BACK_MS = 1_000

export interface DispatcherOptions extends Origins {
  db: Kysely<Schema>
  secretBox: SecretBox
  /** The source of the values for `${NAME}` in URLs and headers. */
  environment: Environment
  retryScheduleMs: readonly number[]
  /** Total deadline of one attempt. */
  timeoutMs: number
  /** The parts of `WEBHOOK_ALLOW`; see `createDestinationPolicy`. */
  allow: readonly string[]
  resolve?: Resolve
  now?: () => Date
  random?: () => number
  /** Attempts younger than half a second; see `createOriginSlots`. */
  maxInFlight?: number
  maxPerOrigin?: number
  /** Called with each attempt as it ends. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
  logger: Log
}

/** Throws when a part of `allow` cannot be read. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new Dispatcher(options)
}

/** Starts sending what is due, including work that a killed process left behind. */
export class Dispatcher {
  readonly #options: DispatcherOptions & Required<Pick<DispatcherOptions, 'now' | 'random'>>
  readonly #agent: Agent
  readonly #reader: WebhookReader
  readonly #alarm = createAlarm()
  readonly #loop: Loop
  readonly #runner: AttemptRunner
  readonly #owner = randomUUID()
  readonly #shares: ReturnType<typeof createSlotShares>
  readonly #rest = createRest()
  readonly #leaseWatch = createLeaseWatch(LEASE_MS)
  // The last turn failed, perhaps after the database had committed its claims.
  #isUnsureOfClaims = false
  #latestNow = Number.POSITIVE_INFINITY
  #renewedAt = performance.now()
  #lookedAt = Number.NEGATIVE_INFINITY
  #isNew = true

  constructor(options: DispatcherOptions) {
    this.#options = { now: () => new Date(), random: Math.random, ...options }
    const { maxInFlight = MAX_IN_FLIGHT, maxPerOrigin = MAX_PER_ORIGIN, timeoutMs } = options
    const policy = createDestinationPolicy(options.allow)
    this.#agent = createDestinationAgent({ policy, resolve: options.resolve, timeoutMs })
    this.#reader = createWebhookReader({ secretBox: options.secretBox, environment: options.environment })
    this.#runner = new AttemptRunner({
      agent: this.#agent,
      timeoutMs,
      now: this.#options.now,
      ...{ maxInFlight, maxPerOrigin, share: () => this.#shares.current() },
      onAttempt: options.onAttempt,
      onIdle: () => this.#alarm.ring(),
    })
    this.#shares = createSlotShares({
      ...{ db: options.db, id: this.#owner, perOrigin: maxPerOrigin, logger: options.logger },
      ...{ mostRunning: () => this.#runner.mostRunning(), onMore: () => this.wake() },
    })
    this.#loop = createLoop({
      everyMs: POLL_MS,
      turn: async () => ({ pauseMs: await this.#turn() }),
      failure: logTexts.dispatcherFailed,
      log: options.logger,
      alarm: this.#alarm,
    })
  }

  start() {
    this.#shares.start()
    this.#loop.start()
  }

  /** Wakes the dispatcher after deliveries were inserted, so that they are sent at once. */
  wake() {
    this.#loop.wake()
  }

  /**
   * Claims nothing more and waits for the attempts in flight. Those that take too long are aborted without a record and
   * repeated at the next start. Nothing is written after that.
   */
  async stop({ withinMs = STOP_WITHIN_MS } = {}) {
    await this.#loop.stop()
    let renewal = this.#holdClaims()
    const renewing = setInterval(() => {
      renewal = this.#holdClaims()
    }, RENEW_AFTER_MS)
    const timer = setTimeout(() => this.#breakOff(), withinMs)
    const unsent = await this.#runner.finish()
    clearTimeout(timer)
    clearInterval(renewing)
    await renewal
    await this.#recordApart(this.#runner.takeFinished())
    const { db } = this.#options
    await db
      .transaction()
      .execute((trx) => giveBack(trx, unsent, { owner: this.#owner }))
      .then(() => releaseClaims(db, { owner: this.#owner }))
      .catch((error) => this.#logError(error, logTexts.claimsNotReleased))
    await this.#shares.stop()
    await this.#agent.destroy()
  }

  // No more turns renew the leases, and no other process may take deliveries in flight.
  async #holdClaims() {
    const { db, now } = this.#options
    const lease = { owner: this.#owner, leaseExpiresAt: new Date(now().getTime() + LEASE_MS) }
    const ids = this.#runner.claimedIds()
    if (ids.length === 0) return
    await renewClaims(db, ids, lease).catch((error) => this.#logError(error, logTexts.leasesNotRenewed))
  }

  #breakOff() {
    this.#runner.breakOff()
    this.#agent.destroy().catch((error) => this.#logError(error, logTexts.connectionsNotClosed))
  }

  // Only one process uses a SQLite file, so claims found at its start belong to no one. On PostgreSQL, leases decide.
  async #takeUpAbandoned() {
    if (engineOf(this.#options.db) === 'sqlite') await releaseClaims(this.#options.db)
  }

  // After a clock is set back, deliveries would wait until it has caught up.
  async #mendSchedule() {
    const now = this.#options.now()
    const isSetBack = now.getTime() < this.#latestNow - CLOCK_SET_BACK_MS
    if (isSetBack) await mendSchedule(this.#options.db, { now })
    this.#latestNow = now.getTime()
  }

  // Returns the pause before the next turn.
  async #turn(): Promise<number> {
    if (this.#isNew) await this.#takeUpAbandoned()
    this.#isNew = false
    if (this.#isUnsureOfClaims) await this.#releaseUnknown()
    await this.#mendSchedule()
    await this.#rest.take()
    await gatherAttempts(this.#runner, this.#alarm)
    const finished = this.#runner.takeFinished()
    const start = performance.now()
    const turn = await this.#takeTurn(finished).catch((error) => this.#recordApart(finished, error))
    if (!turn) return 0
    this.#rest.begin(finished, performance.now() - start)
    this.#runner.add(turn.ready)
    logTurn(this.#options.logger, turn, finished)
    return turn.taken + finished.length === 0 ? this.#pauseAfter(turn) : 0
  }

  async #takeTurn(finished: readonly FinishedAttempt[]): Promise<Turn> {
    const start = performance.now()
    const claimedIds = this.#runner.claimedIds()
    const renewsLeases = claimedIds.length > 0 && start - this.#renewedAt >= RENEW_AFTER_MS
    const looksForDead = start - this.#lookedAt >= LOOK_FOR_DEAD_MS
    const turn = await takeTurn(this.#options.db, {
      ...this.#recordOptions(),
      siteUrl: this.#options.siteUrl,
      adminUrl: this.#options.adminUrl,
      leaseMs: LEASE_MS,
      reader: this.#reader,
      runner: this.#runner,
      leaseWatch: this.#leaseWatch,
      finished,
      claimedIds,
      renewsLeases,
      looksForDead,
    })
    if (renewsLeases) this.#renewedAt = start
    if (looksForDead) this.#lookedAt = start
    return turn
  }

  #recordOptions(): RecordOptions {
    const { retryScheduleMs, random, now } = this.#options
    return { owner: this.#owner, retryScheduleMs, random, now: now() }
  }

  // Due deliveries without a claim wait for a slot: the end of an attempt wakes the loop, and so does an attempt that
  // becomes slow.
  #pauseAfter({ nextAt }: Turn): number {
    const untilDue = nextAt === undefined ? POLL_MS : Date.parse(nextAt) - this.#options.now().getTime()
    const untilFree = this.#runner.millisecondsToFree() ?? POLL_MS
    return Math.min(Math.max(Math.min(untilDue, untilFree), 1), POLL_MS)
  }

  // Claims that this process does not know of would wait for their leases to end.
  async #releaseUnknown() {
    const kept = [...this.#runner.claimedIds(), ...this.#runner.unrecordedIds()]
    await releaseClaims(this.#options.db, { owner: this.#owner, kept })
    this.#isUnsureOfClaims = false
  }

  #recordApart(finished: readonly UnrecordedAttempt[], cause?: unknown) {
    this.#isUnsureOfClaims = true
    return recordApart(this.#options.db, finished, {
      ...this.#recordOptions(),
      cause,
      logger: this.#options.logger,
      keep: (one) => this.#runner.keep(one),
      logError: (error, message) => this.#logError(error, message),
    })
  }

  #logError(error: unknown, message: string) {
    this.#options.logger.error({ err: error }, message)
  }
}
