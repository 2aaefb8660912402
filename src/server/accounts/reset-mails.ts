import type { Kysely } from 'kysely'
import { makeReset, RESET_MINUTES } from '../../auth/password-links/password-resets.ts'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { passwordResetMail } from '../../messages/mail/accounts.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { SendAccountMail } from './account-mail.ts'
import { findMailSite } from './mail-site.ts'

/** Sends links for new passwords. */
export interface ResetMails extends Worker {
  /**
   * Starts sending a link if a user has this address. Returns at once in both cases: the response time must not reveal
   * which.
   */
  send(email: string): void
}

interface ResetMailsOptions {
  db: Kysely<Schema>
  config: Pick<Config, 'siteUrl' | 'adminUrl'>
  accountMail: SendAccountMail | undefined
  now: () => Date
  log: Pick<Log, 'warn' | 'error'>
}

/** Returns the sender of reset links; undefined without a mail server. */
export function createResetMails({
  db,
  config,
  accountMail,
  now,
  log,
}: ResetMailsOptions): ResetMails | undefined {
  if (!accountMail) return undefined
  const sending = new Set<Promise<void>>()

  async function sendLink(email: string, mail: SendAccountMail): Promise<void> {
    const token = await makeReset(db, email, { now: now() })
    if (token === undefined) return
    const link = `${config.adminUrl}/admin/password-reset/${token}`
    const outcome = await mail({
      recipient: email,
      ...passwordResetMail({ ...(await findMailSite(db, config)), link, minutes: RESET_MINUTES }),
    })
    if (outcome.kind !== 'sent') log.warn({ failure: outcome.message }, logTexts.resetMailFailed)
  }

  return {
    send(email) {
      const sent = sendLink(email, accountMail)
        .catch((err) => log.error({ err }, logTexts.resetMailFailed))
        .finally(() => sending.delete(sent))
      sending.add(sent)
    },
    start() {},
    async stop() {
      await Promise.all(sending)
    },
  }
}
