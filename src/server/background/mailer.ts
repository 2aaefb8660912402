import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import type { Log } from '../../lib/log.ts'
import { createMailWorker, type MailWorker } from '../../notifications/mail-worker.ts'
import { createReplyWorker } from '../../notifications/replies/reply-worker.ts'
import { createMailSender } from '../../notifications/send-mail.ts'
import { findMailLook } from '../../site/settings/mail-look.ts'
import { describeSubmission } from '../../submissions/intake/notification-content.ts'
import { describeReply } from '../../submissions/intake/reply-content.ts'
import { nextAttemptAt } from '../../webhooks/dispatching/retry-schedule.ts'

/**
 * Sends notifications and replies to visitors on the webhooks' schedule. Undefined without `SMTP_URL`: then nothing is
 * sent or planned.
 */
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
  const origins = async () => ({ siteUrl, adminUrl, look: await findMailLook(db, { siteUrl }) })
  const shared = {
    db,
    send: createMailSender({ smtpUrl, from: mailFrom }),
    retryAt: (attemptNumber: number, now: Date) =>
      nextAttemptAt(scheduleMs, attemptNumber, { now, random: Math.random }),
    messageHost: new URL(siteUrl).hostname,
    logger: log,
  }
  const mails = createMailWorker({
    ...shared,
    describe: async (mail) => describeSubmission(db, mail, await origins()),
  })
  const replies = createReplyWorker({
    ...shared,
    describe: async (reply) => describeReply(db, reply, await origins()),
  })
  return together([mails, replies])
}

function together(workers: readonly MailWorker[]): MailWorker {
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    wake() {
      for (const worker of workers) worker.wake()
    },
    async stop(options) {
      await Promise.all(workers.map((worker) => worker.stop(options)))
    },
  }
}
