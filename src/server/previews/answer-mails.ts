import type { Kysely } from 'kysely'
import { listAdministrators } from '../../auth/administrator-store.ts'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Log } from '../../lib/log.ts'
import { previewAnswerMail as texts } from '../../messages/mail/previews.ts'
import { logTexts } from '../../messages/server/log.ts'
import { claimAnswerMail, settleAnswerMail } from '../../publish/previews/answer-store.ts'
import type { SendAccountMail } from '../accounts/account-mail.ts'
import { findMailSite } from '../accounts/mail-site.ts'

const EVERY_MS = 60_000
const RETRY_MS = 300_000
const MOST_ATTEMPTS = 5
/** Longer than sending can take. */
const LOST_AFTER_MS = 120_000

interface MailsOptions {
  db: Kysely<Schema>
  config: Pick<Config, 'siteUrl' | 'adminUrl'>
  accountMail: SendAccountMail | undefined
  now: () => Date
  log: Pick<Log, 'error'>
}

/**
 * Emails the user who made a preview link about each response. Each email is a row stored with its response, so a
 * killed program sends it later, possibly twice. Undefined without a mail server.
 */
export function createAnswerMails({ accountMail, ...options }: MailsOptions): Loop | undefined {
  if (!accountMail) return undefined
  return createLoop({
    everyMs: EVERY_MS,
    turn: (signal) => sendDueMails({ ...options, accountMail }, signal),
    failure: logTexts.previewMailFailed,
    log: options.log,
  })
}

async function sendDueMails(
  {
    db,
    config,
    accountMail,
    now,
  }: Omit<MailsOptions, 'accountMail' | 'log'> & { accountMail: SendAccountMail },
  signal: AbortSignal,
): Promise<void> {
  const site = await findMailSite(db, config)
  const link = `${config.adminUrl}/admin/publish/previews`
  while (!signal.aborted) {
    const answer = await claimAnswerMail(db, {
      now: now(),
      lostAt: new Date(now().getTime() + LOST_AFTER_MS),
    })
    if (!answer) return
    const { id, kind, name, note, madeBy: recipient, mailAttempts: attempts } = answer
    const dueAt = new Date(now().getTime() + RETRY_MS)
    if (!(await isActive(db, recipient))) {
      await settleAnswerMail(db, id, { status: 'failed', dueAt, error: texts.noUser })
      continue
    }
    const outcome = await accountMail({ recipient, ...texts.mail(kind, { name, note, ...site, link }) })
    if (outcome.kind === 'sent') await settleAnswerMail(db, id, { status: 'sent', dueAt, error: null })
    else {
      const isOver = outcome.isFinal || attempts >= MOST_ATTEMPTS
      const status = isOver ? 'failed' : 'pending'
      await settleAnswerMail(db, id, { status, dueAt, error: outcome.message })
    }
  }
}

async function isActive(db: Kysely<Schema>, email: string): Promise<boolean> {
  return (await listAdministrators(db)).some((user) => user.email === email && user.disabledAt === null)
}
