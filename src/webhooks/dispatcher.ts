import type { Kysely } from 'kysely'
import type { Agent } from 'undici'
import { engineOf } from '../db/dialects.ts'
import type { Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { createAlarm } from './alarm.ts'
import { type Claim, claimDueDeliveries, originOf } from './claim-due-deliveries.ts'
import { deliveryRequest } from './delivery-request.ts'
import { type DeliveryState, findNextDueAt, releaseClaims } from './delivery-store.ts'
import { createDestinationPolicy } from './destination-address.ts'
import { createDestinationAgent, type Resolve } from './destination-agent.ts'
import type { PreparedDelivery } from './prepare-delivery.ts'
import { recordAttempt } from './record-attempt.ts'
import { type Attempt, sendAttempt } from './send-attempt.ts'

const MAX_IN_FLIGHT = 32
const MAX_PER_ORIGIN = 8
const POLL_MS = 1_000
// The lease outlives the attempt's deadline by what recording may take.
const LEASE_MARGIN_MS = 30_000
const STOP_WITHIN_MS = 8_000
const NOTHING: Claim = { ready: [], taken: 0 }

/** What pino and the console have in common. */
interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface DispatcherOptions {
  db: Kysely<Schema>
  secretBox: SecretBox
  /** Public origin without a trailing slash. */
  siteUrl: string
  retryScheduleMs: readonly number[]
  /** Total deadline of one attempt. */
  timeoutMs: number
  /** The parts of `WEBHOOK_ALLOW`; see `createDestinationPolicy`. */
  allow: readonly string[]
  resolve?: Resolve
  now?: () => Date
  random?: () => number
  maxInFlight?: number
  maxPerOrigin?: number
  logger: Logger
}

export interface Dispatcher {
  /** Begins to send what is due, work that a killed process left behind included. */
  start(): void
  /** To be called when deliveries were inserted: they are sent at once. */
  wake(): void
  /**
   * Claims nothing more and waits for the attempts in flight; those that last longer are broken off unrecorded and
   * made again at the next start. After that nothing is written any more.
   */
  stop(options?: { withinMs?: number }): Promise<void>
}

/** Throws when a part of `allow` cannot be read. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new OutboxDispatcher(options)
}

class OutboxDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions & Required<Pick<DispatcherOptions, 'now' | 'random' | 'maxInFlight'>>
  readonly #agent: Agent
  readonly #alarm = createAlarm()
  /** The origin of each attempt that is being made. */
  readonly #inFlight = new Map<Promise<void>, string>()
  #state: 'new' | 'running' | 'stopping' | 'broken-off' = 'new'
  #loop = Promise.resolve()

  constructor(options: DispatcherOptions) {
    const defaults = { now: () => new Date(), random: Math.random, maxInFlight: MAX_IN_FLIGHT }
    this.#options = { ...defaults, ...options }
    const policy = createDestinationPolicy(options.allow)
    this.#agent = createDestinationAgent({ policy, ...options })
  }

  start() {
    if (this.#state !== 'new') throw new Error('A dispatcher is started once')
    this.#state = 'running'
    this.#loop = this.#run()
  }

  wake() {
    this.#alarm.ring()
  }

  async stop({ withinMs = STOP_WITHIN_MS } = {}) {
    this.#state = 'stopping'
    this.#alarm.ring()
    await this.#loop
    const timer = setTimeout(() => this.#breakOff(), withinMs)
    await Promise.all(this.#inFlight.keys())
    clearTimeout(timer)
    await this.#agent.destroy()
  }

  #breakOff() {
    this.#state = 'broken-off'
    this.#agent.destroy().catch((error) => this.#logError(error, 'connections could not be closed'))
  }

  async #run() {
    await this.#guard(() => this.#takeUpAbandoned())
    while (this.#state === 'running') await this.#guard(() => this.#launchDue())
  }

  /** Bugs and database trouble end here: they are logged, and the loop goes on after a pause. */
  async #guard(step: () => Promise<void>) {
    try {
      await step()
    } catch (error) {
      this.#logError(error, 'the webhook dispatcher met an error and goes on')
      await this.#alarm.sleep(POLL_MS)
    }
  }

  // One process uses a SQLite file: what is claimed when it starts belongs to nobody. On PostgreSQL leases tell.
  async #takeUpAbandoned() {
    if (engineOf(this.#options.db) === 'sqlite') await releaseClaims(this.#options.db)
  }

  async #launchDue() {
    const now = this.#options.now()
    const limit = this.#options.maxInFlight - this.#inFlight.size
    const { ready, taken } = limit > 0 ? await this.#claim(now, limit) : NOTHING
    for (const prepared of ready) this.#launch(prepared)
    if (taken < limit || limit === 0) await this.#alarm.sleep(await this.#millisecondsToNext(now))
  }

  #claim(now: Date, limit: number): Promise<Claim> {
    const { db, secretBox, siteUrl, timeoutMs, maxPerOrigin: perOrigin = MAX_PER_ORIGIN } = this.#options
    const inFlight = countEach(this.#inFlight.values())
    const leaseMs = timeoutMs + LEASE_MARGIN_MS
    return claimDueDeliveries(db, { now, leaseMs, limit, perOrigin, inFlight, secretBox, siteUrl })
  }

  // What is due already and was not claimed waits for a slot: the end of an attempt rings.
  async #millisecondsToNext(after: Date): Promise<number> {
    const { db, now } = this.#options
    const next = await findNextDueAt(db, { after })
    return next === undefined ? POLL_MS : Math.min(Math.max(Date.parse(next) - now().getTime(), 0), POLL_MS)
  }

  #launch(prepared: PreparedDelivery) {
    const work = this.#deliver(prepared)
      .catch((error) => this.#logError(error, 'a webhook attempt was not recorded'))
      .finally(() => {
        this.#inFlight.delete(work)
        this.#alarm.ring()
      })
    this.#inFlight.set(work, originOf(prepared.webhook.url))
  }

  async #deliver(prepared: PreparedDelivery) {
    const { db, now, random, retryScheduleMs, timeoutMs, logger } = this.#options
    const request = deliveryRequest(prepared, { now: now() })
    const attempt = await sendAttempt(this.#agent, request, { timeoutMs, now })
    // We hung up, the receiver did nothing wrong: the row stays claimed and is taken up at the next start.
    if (this.#state === 'broken-off' && attempt.kind === 'failed') return
    const after = await recordAttempt(db, prepared, attempt, { now: now(), random, retryScheduleMs })
    logAttempt(logger, prepared, attempt, after)
  }

  #logError(error: unknown, message: string) {
    this.#options.logger.error({ err: error }, message)
  }
}

function logAttempt(
  logger: Logger,
  { job, webhook }: PreparedDelivery,
  attempt: Attempt,
  after: DeliveryState,
) {
  const { status: httpStatus, durationMs } = attempt
  const about = {
    deliveryId: job.id,
    webhookId: webhook.id,
    attempt: after.attemptCount,
    httpStatus,
    durationMs,
  }
  if (attempt.kind === 'delivered') return logger.info(about, 'webhook delivered')
  const { failureKind } = attempt
  logger.warn(
    { ...about, failureKind, status: after.status, nextAttemptAt: after.nextAttemptAt },
    'webhook attempt failed',
  )
}

function countEach(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
