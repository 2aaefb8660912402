import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Agent } from 'undici'
import { engineOf } from '../db/dialects.ts'
import type { Schema } from '../db/schema.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { createAlarm } from './alarm.ts'
import { releaseClaims, renewClaims } from './delivery-queue-store.ts'
import { deliveryRequest } from './delivery-request.ts'
import { createDestinationPolicy } from './destination-address.ts'
import { createDestinationAgent, type Resolve } from './destination-agent.ts'
import { type Logger, logAttempt } from './log-attempt.ts'
import { createOriginSlots, type OriginSlots } from './origin-slots.ts'
import type { PreparedDelivery } from './prepare-delivery.ts'
import { type FinishedAttempt, giveUpRecording, recordAttempts } from './record-attempts.ts'
import { type Attempt, sendAttempt } from './send-attempt.ts'
import { originOf } from './share-slots.ts'
import { type Turn, takeTurn } from './take-turn.ts'

const MAX_IN_FLIGHT = 32
const MAX_PER_ORIGIN = 8
const POLL_MS = 1_000
// Short, so that another process soon takes up the work of a dead one; renewed while this one lives.
const LEASE_MS = 5_000
const RENEW_AFTER_MS = 1_500
const STOP_WITHIN_MS = 8_000
const MAX_RECORDINGS = 2

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
  /** Attempts younger than half a second; see `createOriginSlots`. */
  maxInFlight?: number
  maxPerOrigin?: number
  /** Told of each attempt as it ends. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
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
  readonly #options: DispatcherOptions & Required<Pick<DispatcherOptions, 'now' | 'random'>>
  readonly #agent: Agent
  readonly #alarm = createAlarm()
  readonly #slots: OriginSlots
  readonly #owner = randomUUID()
  readonly #inFlight = new Set<Promise<void>>()
  /** Attempts that the next turn writes down, with the number of tries. */
  #finished: (FinishedAttempt & { recordings: number })[] = []
  #renewedAt = performance.now()
  #state: 'new' | 'running' | 'stopping' | 'broken-off' = 'new'
  #loop = Promise.resolve()

  constructor(options: DispatcherOptions) {
    this.#options = { now: () => new Date(), random: Math.random, ...options }
    const { maxInFlight = MAX_IN_FLIGHT, maxPerOrigin = MAX_PER_ORIGIN } = options
    this.#slots = createOriginSlots({ maxInFlight, maxPerOrigin })
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
    await this.#holdClaims(withinMs).catch((error) => this.#logError(error, 'leases could not be renewed'))
    const timer = setTimeout(() => this.#breakOff(), withinMs)
    await Promise.all(this.#inFlight)
    clearTimeout(timer)
    await this.#recordApart(this.#finished.splice(0))
    await releaseClaims(this.#options.db, { owner: this.#owner }).catch((error) =>
      this.#logError(error, 'claims could not be released'),
    )
    await this.#agent.destroy()
  }

  // No turn renews the leases any more, and nobody else may take up what is still in flight.
  async #holdClaims(withinMs: number) {
    const ids = this.#slots.ids()
    const leaseExpiresAt = new Date(this.#options.now().getTime() + withinMs + LEASE_MS)
    if (ids.length > 0) await renewClaims(this.#options.db, ids, { owner: this.#owner, leaseExpiresAt })
  }

  #breakOff() {
    this.#state = 'broken-off'
    this.#agent.destroy().catch((error) => this.#logError(error, 'connections could not be closed'))
  }

  async #run() {
    await this.#guard(() => this.#takeUpAbandoned())
    while (this.#state === 'running') await this.#guard(() => this.#turn())
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

  async #turn() {
    await this.#gather()
    const finished = this.#finished.splice(0)
    const turn = await this.#takeTurn(finished).catch(async (error) => {
      await this.#recordApart(finished)
      throw error
    })
    for (const prepared of turn.ready) this.#launch(prepared)
    for (const [index, one] of finished.entries()) {
      const state = turn.states[index]
      if (state) logAttempt(this.#options.logger, one, state)
    }
    if (turn.taken + finished.length === 0) await this.#alarm.sleep(this.#pauseAfter(turn))
  }

  // While a turn waits for the disk, answers come in: those that are there already go into the next turn together.
  async #gather() {
    let before: number
    do {
      before = this.#finished.length
      await setImmediate()
    } while (this.#finished.length > before)
  }

  async #takeTurn(finished: readonly FinishedAttempt[]): Promise<Turn> {
    const start = performance.now()
    const renewsLeases = this.#inFlight.size > 0 && start - this.#renewedAt >= RENEW_AFTER_MS
    const room = { free: this.#slots.free(start), freeFor: this.#slots.freeFor }
    const inFlightIds = this.#slots.ids()
    const { db } = this.#options
    const turn = await takeTurn(db, { ...this.#turnOptions(), finished, inFlightIds, renewsLeases, room })
    if (renewsLeases) this.#renewedAt = start
    return turn
  }

  #turnOptions() {
    return { ...this.#options, owner: this.#owner, leaseMs: LEASE_MS, now: this.#options.now() }
  }

  // What is due already and was not claimed waits for a slot: the end of an attempt rings, and so does its getting slow.
  #pauseAfter({ nextAt }: Turn): number {
    const untilDue = nextAt === undefined ? POLL_MS : Date.parse(nextAt) - this.#options.now().getTime()
    const untilFree = this.#slots.millisecondsToFree(performance.now()) ?? POLL_MS
    return Math.min(Math.max(Math.min(untilDue, untilFree), 0), POLL_MS)
  }

  #launch(prepared: PreparedDelivery) {
    this.#slots.take(prepared.job.id, originOf(prepared.webhook.url), performance.now())
    const work = this.#deliver(prepared)
      .then((isDelivered) => this.#slots.release(prepared.job.id, { delivered: isDelivered }))
      .finally(() => {
        this.#inFlight.delete(work)
        this.#alarm.ring()
      })
    this.#inFlight.add(work)
  }

  async #deliver(prepared: PreparedDelivery): Promise<boolean> {
    const { now, timeoutMs } = this.#options
    const request = deliveryRequest(prepared, { now: now() })
    const attempt = await sendAttempt(this.#agent, request, { timeoutMs, now })
    this.#options.onAttempt?.(attempt)
    // We hung up, the receiver did nothing wrong: it is no attempt, the claim is released.
    if (this.#state !== 'broken-off' || attempt.kind === 'delivered')
      this.#finished.push({ prepared, request, attempt, recordings: 0 })
    return attempt.kind === 'delivered'
  }

  /** One attempt that cannot be written down must not keep the others from it. */
  async #recordApart(finished: readonly (FinishedAttempt & { recordings: number })[]) {
    for (const one of finished) {
      try {
        await this.#recordOne(one)
      } catch (error) {
        this.#logError(error, 'a webhook attempt was not recorded')
        this.#finished.push({ ...one, recordings: one.recordings + 1 })
      }
    }
  }

  #recordOne(one: FinishedAttempt & { recordings: number }) {
    return this.#options.db.transaction().execute(async (trx) => {
      if (one.recordings >= MAX_RECORDINGS) return giveUpRecording(trx, one, this.#turnOptions())
      const [state] = await recordAttempts(trx, [one], this.#turnOptions())
      if (state) logAttempt(this.#options.logger, one, state)
    })
  }

  #logError(error: unknown, message: string) {
    this.#options.logger.error({ err: error }, message)
  }
}
