import { engineOf } from '../db/dialects.ts'
import { isStorageFailure } from '../db/storage-failure.ts'
import { createLoop, type Loop } from '../lib/background/loop.ts'
import type { Log } from '../lib/log.ts'
import { logTexts } from '../messages/server/log.ts'
import { createClaimKeeper } from './claim-keeper.ts'
import { type DeliveredMail, type DeliverOptions, deliverMail } from './deliver-mail.ts'
import { loggedFailure } from './logged-failure.ts'
import { claimDueMails, releaseMails, returnMails } from './mail-store.ts'
import { type ClaimedMail, findNextDueAt } from './outbox-store.ts'
import { AT_ONCE, LEASE_MS, POLL_MS, pauseUntil, waitAtMost } from './outbox-turns.ts'

export interface MailWorkerOptions extends Omit<DeliverOptions, 'now' | 'isBrokenOff'> {
  logger: Log
  now?: () => Date
}

export interface MailWorker {
  /** Starts sending what is due, including what a killed process left behind. */
  start(): void
  /** Call it after inserting emails, to send them at once. */
  wake(): void
  /** Stops claiming and waits for emails in flight. Those that take longer are sent again at the next start. */
  stop(options?: { withinMs?: number }): Promise<void>
}

/** Sends notification emails from their outbox: claims with a lease, retries, a row for each attempt. */
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
  /** Emails that were sent but could not be recorded. */
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

  // Returns whether the step succeeded. Bugs and database errors are caught and logged here, and the loop continues.
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

  // Only one process uses an SQLite file, so claims that exist when it starts have no owner. On PostgreSQL, leases
  // decide.
  async #takeUpAbandoned() {
    if (engineOf(this.#options.db) === 'sqlite') await releaseMails(this.#options.db)
  }

  // Otherwise they would wait for their leases to expire, and sent emails would be sent again.
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
      // The response to a successful commit may have been lost.
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
    else logger.warn({ ...about, failure: loggedFailure(outcome.message) }, logTexts.mailFailed)
  }
}
