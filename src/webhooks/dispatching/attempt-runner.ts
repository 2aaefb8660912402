import type { Agent } from 'undici'
import { hideValues } from '../secrets/hide-values.ts'
import { deliveryRequest } from '../sending/delivery-request.ts'
import type { PreparedDelivery } from '../sending/prepare-delivery.ts'
import { type Attempt, sendAttempt } from '../sending/send-attempt.ts'
import type { Readiness } from '../sending/sendable-webhook.ts'
import { createOriginSlots, type OriginSlots, type SlotLimits } from './origin-slots.ts'
import type { FinishedAttempt } from './record-attempts.ts'
import type { Room } from './share-slots.ts'
import { createWaitingLines } from './waiting-lines.ts'

const MAX_WAITING = 512
// While the queue is long, this many attempts are recorded together.
const FULL_TURN = 192

interface RunnerOptions extends SlotLimits {
  agent: Agent
  /** Total deadline of one attempt. */
  timeoutMs: number
  now: () => Date
  /** Called with each attempt as it ends. */
  onAttempt: ((attempt: Attempt) => void) | undefined
  /** Called when there are attempts to record or slots to fill and nothing more urgent to do. */
  onIdle: () => void
}

/** An attempt that is not recorded yet, and how often recording was tried. */
export type UnrecordedAttempt = FinishedAttempt & { recordings: number }

/** Sends claimed deliveries as slots become free, and keeps the results until they are recorded. */
export class AttemptRunner {
  readonly #options: RunnerOptions
  readonly #slots: OriginSlots
  readonly #waiting = createWaitingLines()
  readonly #inFlight = new Set<Promise<void>>()
  #finished: UnrecordedAttempt[] = []
  #state: 'running' | 'finishing' | 'broken-off' = 'running'

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#slots = createOriginSlots(options)
  }

  /** Sends these now or as slots become free. */
  add(ready: readonly PreparedDelivery[]) {
    const now = performance.now()
    for (const prepared of ready) this.#waiting.add(prepared, now)
    this.#fillSlots()
  }

  /** The deliveries in flight, or waiting for a slot. */
  claimedIds() {
    return [...this.#slots.ids(), ...this.#waiting.all().map(({ job }) => job.id)]
  }

  /** The webhooks whose deliveries wait for a slot. */
  waitingFor() {
    return [...new Set(this.#waiting.all().map(({ sendable }) => sendable.webhook.id))]
  }

  /** Number of attempts that run to the origin with the most. */
  mostRunning() {
    return this.#slots.mostRunning()
  }

  /** Returns the number of deliveries that may be claimed. */
  // Deliveries are claimed ahead of free slots only for receivers that answer well.
  room(): Room {
    if (this.#slots.isClosed()) return { free: 0, freeFor: () => 0, freeAt: () => 0 }
    const free = this.#slots.free(performance.now())
    const freeFor = (url: string) => {
      if (this.#slots.hasFullWindow(url)) return this.#slots.freeFor(url) + this.#waiting.roomFor(url)
      return free === 0 ? 0 : this.#slots.freeFor(url) - this.#waiting.lengthOf(url)
    }
    // An address may wait even though slots keep becoming free; then it is next.
    const freeAt = (origin: string) =>
      this.#slots.isStuck(origin) ? this.#slots.freeAt(origin) : Number.POSITIVE_INFINITY
    return { free: free + MAX_WAITING - this.#waiting.size(), freeFor, freeAt }
  }

  /** Takes back waiting deliveries that waited too long or that their current webhook would send differently. */
  takeBack(webhooks: ReadonlyMap<number, Readiness>) {
    return this.#waiting.takeOut((one) => isOutdated(one, webhooks), performance.now())
  }

  /** Returns true if slots are busy, more deliveries wait for them, and there is little to record. */
  isBusy() {
    return this.#waiting.size() > 0 && this.#inFlight.size > 0 && this.#finished.length < FULL_TURN
  }

  takeFinished() {
    return this.#finished.splice(0)
  }

  /** Returns the number of attempts to record. */
  finishedCount() {
    return this.#finished.length
  }

  /** The deliveries of those attempts. */
  unrecordedIds() {
    return this.#finished.map(({ prepared }) => prepared.job.id)
  }

  /** Keeps an attempt that could not be recorded for the next try. */
  keep(attempt: UnrecordedAttempt) {
    this.#finished.push(attempt)
  }

  /** Milliseconds until an attempt counts as slow and so frees a slot; undefined when none will. */
  millisecondsToFree() {
    return this.#slots.millisecondsToFree(performance.now())
  }

  /** Starts no more attempts; resolves when none is in flight, with the deliveries that were never sent. */
  async finish() {
    this.#state = 'finishing'
    await Promise.all(this.#inFlight)
    return this.#waiting.takeOut(() => true, performance.now())
  }

  /** From here on, a failure counts as never sent. */
  breakOff() {
    this.#state = 'broken-off'
  }

  #fillSlots() {
    const now = performance.now()
    for (let free = this.#slots.free(now); free > 0 && this.#state === 'running'; free -= 1) {
      const prepared = this.#waiting.next(this.#rank, now)
      if (!prepared) return
      this.#slots.take(prepared.job.id, prepared.sendable, now)
      const work = this.#send(prepared).finally(() => this.#inFlight.delete(work))
      this.#inFlight.add(work)
    }
  }

  // The address with the fewest attempts in flight comes first.
  readonly #rank = ({ sendable }: PreparedDelivery) =>
    this.#slots.freeFor(sendable.url) > 0 && this.#slots.freeAt(sendable.origin) > 0
      ? this.#slots.runningTo(sendable.url)
      : undefined

  async #send(prepared: PreparedDelivery) {
    const { agent, timeoutMs, now, onAttempt, onIdle } = this.#options
    const { sent, shown } = deliveryRequest(prepared, { now: now() })
    const attempt = await sendAttempt(agent, sent, { timeoutMs, now })
    onAttempt?.(attempt)
    // Signpost closed the connection, so the receiver has not failed: the claim is released without an attempt.
    if (this.#state !== 'broken-off' || attempt.kind === 'delivered') {
      const hidden = hideValues(attempt, prepared.sendable.concealed)
      this.#finished.push({ prepared, request: shown, attempt: hidden, recordings: 0 })
    }
    this.#slots.release(prepared.job.id, { delivered: attempt.kind === 'delivered' })
    this.#fillSlots()
    if (!this.isBusy()) onIdle()
  }
}

// A webhook that changed after the claim may want another request now, or none.
function isOutdated({ sendable }: PreparedDelivery, webhooks: ReadonlyMap<number, Readiness>): boolean {
  const today = webhooks.get(sendable.webhook.id)
  return today?.kind !== 'ready' || today.sendable !== sendable
}
