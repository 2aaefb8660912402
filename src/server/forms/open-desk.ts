import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { Schema } from '../../db/schema.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { findOldestReleaseMoment } from '../../publish/release/release.ts'
import { hookPlace } from '../../site/hooks/hook-failure.ts'
import { siteHooks } from '../../site/hooks/load-hooks.ts'
import { findPlaceOfPage } from '../../site/pages/place-of-page.ts'
import { createSubmissionDesk, type SubmissionDesk } from '../../submissions/intake/accept-submission.ts'
import { createIntakeHooks } from '../../submissions/intake/submission-hooks.ts'
import type { PostLimits } from '../../submissions/limits/post-limits.ts'
import type { ProofOfWork } from '../../submissions/limits/proof-of-work.ts'
import type { Metrics } from '../background/metrics.ts'
import { keepsSources, ownHostsOf } from '../visits/open-visits.ts'

/** Together with the rest of the answer, 503 comes within 5 seconds. */
const ANSWER_POST_WITHIN_MS = 4_500

interface DeskParts {
  db: Kysely<Schema>
  postLimits: PostLimits | undefined
  proofOfWork: ProofOfWork
  dispatcher: Wakened
  mailWorker: Wakened | undefined
  searchIndex: Wakened
  metrics: Metrics | undefined
  log: Pick<Log, 'error'>
}

interface Wakened {
  wake(): void
}

/** Opens the desk of the running program, with the hooks of its site. */
export function openDesk(
  { siteUrl, formOrigins, dataDir, databaseUrl }: Config,
  { db, postLimits: limits, proofOfWork, dispatcher, mailWorker, searchIndex, metrics, log }: DeskParts,
): SubmissionDesk {
  const desk = createSubmissionDesk({
    db,
    siteUrl,
    proofOfWork,
    findPage: (path) => findPlaceOfPage(db, path),
    keepsSources: () => keepsSources(db),
    ownHosts: ownHostsOf({ siteUrl, formOrigins }),
    findOldestRelease: () => findOldestReleaseMoment(dataDir),
    onAccepted() {
      dispatcher.wake()
      mailWorker?.wake()
      searchIndex.wake()
    },
    sendsMail: mailWorker !== undefined,
    limits,
    hooks: createIntakeHooks(siteHooks(), {
      siteUrl,
      onFailure: (err, hook) => log.error({ err, hook, place: hookPlace(err) }, logTexts.hookFailed),
    }),
    // SQLite has its own timeout, and its commits are never uncertain.
    answerWithinMs: databaseUrl.startsWith('file:') ? undefined : ANSWER_POST_WITHIN_MS,
    onFailure: (err) => log.error({ err }, logTexts.postNotStored),
  })
  return metrics?.countSubmissions(desk) ?? desk
}
