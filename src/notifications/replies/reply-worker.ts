import type { Kysely } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Schema } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { createClaimKeeper } from '../claim-keeper.ts'
import { loggedFailure } from '../logged-failure.ts'
import type { MailWorker } from '../mail-worker.ts'
import { type ClaimedMail, claimDue, findNextDueAt } from '../outbox-store.ts'
import { AT_ONCE, LEASE_MS, POLL_MS, pauseUntil, waitAtMost } from '../outbox-turns.ts'
import { type DeliverReplyOptions, deliverReply } from './deliver-reply.ts'
import { endAbandonedReplies, type ReplyState, settleReply } from './reply-store.ts'

export interface ReplyWorkerOptions extends Omit<DeliverReplyOptions, 'now'> {
  db: Kysely<Schema>
  logger: Log
  now?: () => Date
}

/**
 * Sends replies from their outbox, each at most once: a claim is on disk before the mail server is contacted, and a
 * dead process's claim is never retried.
 */
export function createReplyWorker(options: ReplyWorkerOptions): MailWorker {
  return new OutboxReplyWorker(options)
}

class OutboxReplyWorker implements MailWorker {
  readonly #options: ReplyWorkerOptions & DeliverReplyOptions
  readonly #loop: Loop
  /** States of replies that could not be recorded. */
  readonly #unrecorded: { reply: ClaimedMail; state: ReplyState }[] = []
  readonly #inFlight = new Set<ClaimedMail>()
  readonly #keeper: ReturnType<typeof createClaimKeeper>
  #isNew = true

  constructor(options: ReplyWorkerOptions) {
    this.#options = { now: () => new Date(), ...options }
    const turn = async () => ({ pauseMs: await this.#sendDue() })
    this.#loop = createLoop({ everyMs: POLL_MS, turn, failure: logTexts.mailerFailed, log: options.logger })
    const { db, now } = this.#options
    this.#keeper = createClaimKeeper({
      ...{ db, now, logger: options.logger },
      outbox: 'reply_mails',
      held: () => [...this.#inFlight, ...this.#unrecorded.map(({ reply }) => reply)],
      endDead: (dead) => endAbandonedReplies(db, { now: now(), dead }),
    })
  }

  start() {
    this.#loop.start()
    this.#keeper.start()
  }

  wake() {
    this.#loop.wake()
  }

  async stop({ withinMs }: { withinMs?: number } = {}) {
    await waitAtMost(
      this.#loop.stop().then(() => this.#recordLast()),
      { withinMs },
    )
    await this.#keeper.stop()
  }

  // Otherwise replies that were sent would count as interrupted.
  async #recordLast() {
    const { logger } = this.#options
    await this.#recordAll().catch((err: unknown) => logger.error({ err }, logTexts.mailerFailed))
  }

  async #sendDue(): Promise<number> {
    const { db, now } = this.#options
    await this.#recordAll()
    // Only one process uses an SQLite file, so claims that exist when it starts have no owner.
    const isAllAbandoned = this.#isNew && engineOf(db) === 'sqlite'
    await endAbandonedReplies(db, { now: now(), ...(!isAllAbandoned && { expiredAt: now() }) })
    this.#isNew = false
    const claim = { now: now(), limit: AT_ONCE, leaseMs: LEASE_MS }
    const claimed = await db.transaction().execute((trx) => claimDue(trx, 'reply_mails', claim))
    for (const reply of claimed) this.#inFlight.add(reply)
    this.#unrecorded.push(...(await Promise.all(claimed.map((reply) => this.#deliver(reply)))))
    for (const reply of claimed) this.#inFlight.delete(reply)
    await this.#recordAll()
    return claimed.length < AT_ONCE ? this.#millisecondsToNext() : 0
  }

  async #deliver(reply: ClaimedMail) {
    try {
      return { reply, state: await deliverReply(reply, this.#options) }
    } catch (error) {
      // The content of the reply could not be loaded; nothing was sent.
      this.#options.logger.error({ err: error }, logTexts.mailerFailed)
      return { reply, state: this.#pendingAgain(reply) }
    }
  }

  #pendingAgain({ attemptCount }: ClaimedMail): ReplyState {
    const nextAttemptAt = new Date(this.#options.now().getTime() + POLL_MS)
    const nothing = { response: null, lastError: null, reason: null, finishedAt: null }
    return { status: 'pending', attemptCount, nextAttemptAt, ...nothing }
  }

  async #recordAll() {
    const { db, logger } = this.#options
    for (let one = this.#unrecorded[0]; one; one = this.#unrecorded[0]) {
      const { reply, state } = one
      await settleReply(db, reply, state)
      this.#unrecorded.shift()
      const about = { replyId: reply.id, submissionId: reply.submissionId, status: state.status }
      if (state.lastError === null) logger.info(about, logTexts.replySettled)
      else logger.warn({ ...about, failure: loggedFailure(state.lastError) }, logTexts.replyFailed)
    }
  }

  async #millisecondsToNext(): Promise<number> {
    const { db, now } = this.#options
    return pauseUntil(await findNextDueAt(db, 'reply_mails'), now())
  }
}
