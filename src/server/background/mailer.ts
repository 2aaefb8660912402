import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import type { Log } from '../../lib/log.ts'
import { createMailWorker, type MailWorker } from '../../notifications/mail-worker.ts'
import { createMailSender } from '../../notifications/send-mail.ts'
import { describeSubmission } from '../../submissions/intake/notification-content.ts'
import { nextAttemptAt } from '../../webhooks/dispatching/retry-schedule.ts'

/** Sends notification mails by the webhooks' schedule. Undefined without `SMTP_URL`: then nothing is sent or planned. */
export function createMailer(
  {
    smtpUrl,
    mailFrom,
    siteUrl,
    adminUrl,
    webhookRetrySchedule: scheduleMs,
  }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'siteUrl' | 'adminUrl' | 'webhookRetrySchedule'>,
  { db, log }: { db: Kysely<Schema>; log: Log },
): MailWorker | undefined {
  if (!smtpUrl || !mailFrom) return undefined
  return createMailWorker({
    db,
    send: createMailSender({ smtpUrl, from: mailFrom }),
    describe: (mail) => describeSubmission(db, mail, { siteUrl, adminUrl }),
    retryAt: (attemptNumber, now) => nextAttemptAt(scheduleMs, attemptNumber, { now, random: Math.random }),
    messageHost: new URL(siteUrl).hostname,
    logger: log,
  })
}
