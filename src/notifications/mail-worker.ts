import { engineOf } from '../db/dialects.ts'
import { isStorageFailure } from '../db/storage-failure.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import { createClaimKeeper } from './claim-keeper.ts'
import { type DeliveredMail, type DeliverOptions, deliverMail } from './deliver-mail.ts'
import { claimDueMails, releaseMails, returnMails } from './mail-store.ts'
import { type ClaimedMail, findNextDueAt } from './outbox-store.ts'
import { AT_ONCE, LEASE_MS, POLL_MS, pauseUntil, waitAtMost } from './outbox-turns.ts'

export interface MailWorkerOptions extends Omit<DeliverOptions, 'now' | 'isBrokenOff'> {
  logger: Log
  now?: () => Date
}

export interface MailWorker {
  /** Begins to send what is due, work that a killed process left behind included. */
  start(): void
  /** To be called when mails were inserted: they are sent at once. */
  wake(): void
  /** Claims nothing more and waits for the mails in flight; those that last longer are sent again at the next start. */
  stop(options?: { withinMs?: number }): Promise<void>
}

/** Sends notification mails from their outbox: claims with a lease, retries, a row for each attempt. */
export function createMailWorker(options: MailWorkerOptions): MailWorker {
  return new OutboxMailWorker(options)
}

class OutboxMailWorker implements MailWorker {
  readonly #options: MailWorkerOptions & DeliverOptions
  readonly #loop: Loop
  /** Claims that were not sent, or perhaps never made, when the database failed. */
  #unsent: ClaimedMail[] = []
  readonly #inFlight = new Set<ClaimedMail>()
  readonly #keeper: ReturnType<typeof createClaimKeeper>
  /** Mails that were sent and could not be recorded. */
  #unrecorded: DeliveredMail[] = []
  #isNew = true
  #isBrokenOff = false

  constructor(options: MailWorkerOptions) {
    this.#options = { now: () => new Date(), ...options, isBrokenOff: () => this.#isBrokenOff }
    const turn = async () => ({ pauseMs: await this.#sendDue() })
    this.#loop = createLoop({ everyMs: POLL_MS, turn, failure: logTexts.mailerFailed, log: options.logger })
    const { db, now, logger } = this.#options
    this.#keeper = createClaimKeeper({
      ...{ db, now, logger },
      outbox: 'notification_mails',
      held: () => [...this.#inFlight, ...this.#unsent, ...this.#unrecorded.map(({ mail }) => mail)],
      endDead: async (dead) => {
        await releaseMails(db, { dead })
        this.#loop.wake()
      },
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
    const ended = this.#loop.stop().then(() => this.#endTurns())
    await waitAtMost(ended, {
      withinMs,
      onLate: () => {
        this.#isBrokenOff = true
      },
    })
    await this.#keeper.stop()
  }

  async #endTurns() {
    if (!this.#isBrokenOff) await this.#guard(() => this.#catchUp())
  }

  // Returns whether the step was done. Bugs and database trouble end here: they are logged, and the loop goes on.
  async #guard(step: () => Promise<void>): Promise<boolean> {
    try {
      await step()
      return true
    } catch (error) {
      this.#options.logger.error({ err: error }, logTexts.mailerFailed)
      return false
    }
  }

  async #sendDue(): Promise<number> {
    if (this.#isNew) await this.#takeUpAbandoned()
    this.#isNew = false
    await this.#catchUp()
    const mails = await this.#claim()
    const done = await Promise.all(mails.map((mail) => this.#guard(() => this.#deliver(mail))))
    if (done.includes(false)) return POLL_MS
    return mails.length < AT_ONCE ? this.#millisecondsToNext() : 0
  }

  // One process uses a SQLite file: what is claimed when it starts belongs to nobody. On PostgreSQL leases tell.
  async #takeUpAbandoned() {
    if (engineOf(this.#options.db) === 'sqlite') await releaseMails(this.#options.db)
  }

  // Left alone they would wait for their leases to run out, and what was sent would be sent again.
  async #catchUp() {
    for (let one = this.#unrecorded.shift(); one; one = this.#unrecorded.shift())
      await this.#recordOrKeep(one)
    await returnMails(this.#options.db, this.#unsent)
    this.#unsent = []
  }

  async #claim(): Promise<ClaimedMail[]> {
    const { db, now } = this.#options
    const claim = { now: now(), limit: AT_ONCE, leaseMs: LEASE_MS }
    let claimed: ClaimedMail[] = []
    try {
      await db.transaction().execute(async (trx) => {
        claimed = await claimDueMails(trx, claim)
      })
      return claimed
    } catch (error) {
      // The answer to a commit that was made may have been lost.
      this.#unsent.push(...claimed)
      throw error
    }
  }

  async #millisecondsToNext() {
    const { db, now } = this.#options
    return pauseUntil(await findNextDueAt(db, 'notification_mails'), now())
  }

  async #deliver(mail: ClaimedMail) {
    this.#inFlight.add(mail)
    try {
      const delivered = await deliverMail(mail, this.#options).catch((error) => {
        this.#unsent.push(mail)
        throw error
      })
      if (delivered) await this.#recordOrKeep(delivered)
    } finally {
      this.#inFlight.delete(mail)
    }
  }

  async #recordOrKeep(delivered: DeliveredMail) {
    await this.#record(delivered).catch((error) => {
      if (isStorageFailure(error)) this.#unrecorded.push(delivered)
      throw error
    })
  }

  async #record({ mail, outcome, after, record }: DeliveredMail) {
    await record()
    const { logger } = this.#options
    const about = { mailId: mail.id, submissionId: mail.submissionId, status: after.status }
    if (outcome.kind === 'sent') logger.info(about, logTexts.mailSent)
    else logger.warn({ ...about, failure: outcome.message }, logTexts.mailFailed)
  }
}
