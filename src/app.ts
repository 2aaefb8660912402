import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { relyingPartyOf } from './auth/passkeys/relying-party.ts'
import { createSetup, type Setup } from './auth/setup.ts'
import { updatePasskeyHost } from './auth/two-factor-settings-store.ts'
import type { Config } from './config.ts'
import { bindStoredSecrets, hasUnboundSecrets } from './content-files/bind-stored-secrets.ts'
import { findSchemaRevision } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import type { Schema } from './db/schema.ts'
import { openSecretBox } from './db/secret-key-store.ts'
import { openFileStore } from './files/open-file-store.ts'
import type { Loop } from './lib/background/loop.ts'
import { createOpenWork, type OpenWork } from './lib/background/open-work.ts'
import type { Worker } from './lib/background/worker.ts'
import { SITE_DIR } from './lib/program/folders.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { MailWorker } from './notifications/mail-worker.ts'
import { openPictureFiles, type PictureFiles } from './pictures/picture-files.ts'
import { historyOf, openSharedSite } from './publish/shared/shared-site.ts'
import { createAccountMail, type SendAccountMail } from './server/accounts/account-mail.ts'
import { createResetMails, type ResetMails } from './server/accounts/reset-mails.ts'
import { createMailer } from './server/background/mailer.ts'
import type { Metrics } from './server/background/metrics.ts'
import { openPublishing, type Publishing } from './server/background/publishing.ts'
import { listUpkeep } from './server/background/upkeep.ts'
import { openDesk } from './server/forms/open-desk.ts'
import { createIntakeHealth, type IntakeHealth } from './server/health/intake-health.ts'
import { createClientAddress } from './server/http/client-address.ts'
import { createAnswerMails } from './server/previews/answer-mails.ts'
import { createLog } from './server/program-log.ts'
import { createRefusalLog, type RefusalLog } from './server/refusals/refusal-log.ts'
import type { Erasures } from './server/removals/erasures.ts'
import { openRemoving } from './server/removals/open-removing.ts'
import { createHeartbeat, type Heartbeat } from './server/servers/heartbeat.ts'
import { openSiteLocale, type SiteLocale } from './server/site-locale.ts'
import { openVisits } from './server/visits/open-visits.ts'
import type { VisitCounter } from './server/visits/visit-counter.ts'
import { siteHooks } from './site/hooks/load-hooks.ts'
import type { SubmissionDesk } from './submissions/intake/accept-submission.ts'
import { createPostLimits, type PostLimits } from './submissions/limits/post-limits.ts'
import { createProofOfWork, type ProofOfWork } from './submissions/limits/proof-of-work.ts'
import { createSearchIndex, type SearchIndex } from './submissions/search/search-index.ts'
import { createDispatcher, type Dispatcher } from './webhooks/dispatching/dispatcher.ts'

/** Together with the server's grace for requests (3 s) the program ends within 10 s of SIGTERM. */
const GRACE = { withinMs: 5_000 }
/** After deliveries had their time, nothing may wait for a database that is silent. */
const BREAK_OFF_AFTER_MS = 5_500

/** The running program: what the server hands to its endpoints and pages. */
export interface App {
  config: Config
  log: Logger
  /** For the admin and housekeeping, whose statements may take a while. */
  db: Kysely<Schema>
  /** For visitors and outboxes, who go on within seconds when the database is silent. On SQLite the same as `db`. */
  promptDb: Kysely<Schema>
  intakeHealth: IntakeHealth
  /** Undefined on SQLite. */
  heartbeat: Heartbeat | undefined
  secretBox: SecretBox
  setup: Setup
  refusals: RefusalLog
  desk: SubmissionDesk
  /** Undefined with `RATE_LIMIT=off`. */
  postLimits: PostLimits | undefined
  proofOfWork: ProofOfWork
  dispatcher: Dispatcher
  /** Undefined without a mail server. */
  mailWorker: MailWorker | undefined
  /** Undefined without a mail server. */
  accountMail: SendAccountMail | undefined
  /** Undefined without a mail server. */
  resetMails: ResetMails | undefined
  /** Emails about responses to previews. Undefined without a mail server. */
  answerMails: Loop | undefined
  searchIndex: SearchIndex
  erasures: Erasures
  visits: VisitCounter
  siteLocale: SiteLocale
  publishing: Publishing
  /** Undefined without `METRICS_PORT`. */
  metrics: Metrics | undefined
  /** Folder of visitors' files, outside every folder that is served. */
  files: ReturnType<typeof openFileStore>
  pictureFiles: PictureFiles
  /** The newest revision of the database, such as `0013_delivery_engine`. */
  schemaRevision: string
  /** Work that `close` and the end of the server wait for. */
  openWork: OpenWork
  /** All work that nobody waits for, by name, in the order of its end: what a step needs ends in a later one. */
  workers: readonly Workers[]
  startWorkers(): void
  /** Ends the workers, finishing attempts in flight, and closes the database. */
  close(): Promise<void>
}

type Workers = Readonly<Record<string, Worker | undefined>>

const now = () => new Date()

/** The composition root: opens and migrates the database and builds what needs it. Nothing works before `startWorkers()`. */
export async function openApp(config: Config, log = createLog(config.logLevel)): Promise<App> {
  // First of all: a site whose hooks are broken does not start.
  siteHooks()
  const database = await openDatabase(config)
  const parts = await openParts(config, { ...database, log })
  const { openWork, intakeHealth } = parts
  const workers = listWorkers(parts)
  return {
    ...parts,
    workers,
    startWorkers() {
      for (const step of workers) for (const worker of Object.values(step)) worker?.start()
    },
    async close() {
      setTimeout(database.breakOff, BREAK_OFF_AFTER_MS).unref()
      for (const step of workers) await openWork.end(endingsOf(step))
      await openWork.end({ database: database.close(), 'check of the database': intakeHealth.close() })
    },
  }
}

function endingsOf(step: Workers) {
  return Object.fromEntries(Object.entries(step).map(([name, worker]) => [name, worker?.stop(GRACE)]))
}

type Parts = Omit<App, 'workers' | 'startWorkers' | 'close'> & { cleanUp: Worker }

async function openParts(
  config: Config,
  { db, promptDb, log }: Pick<App, 'db' | 'promptDb' | 'log'>,
): Promise<Parts> {
  const secretBox = await openSecretBox(db, config.secretKeys)
  // Usually nothing: a start that falls silent must not hold locks that other starts wait for.
  if (await hasUnboundSecrets(db, { secretBox }))
    await db.transaction().execute((trx) => bindStoredSecrets(trx, { secretBox }))
  await updatePasskeyHost(db, relyingPartyOf(config.adminUrl)?.host ?? '')
  const metrics = await openMetrics(config, db)
  const dispatcher = openDispatcher(config, { db: promptDb, secretBox, metrics, log })
  const mailWorker = createMailer(config, { db: promptDb, log })
  const proofOfWork = createProofOfWork({ secretKeys: config.secretKeys, now })
  const searchIndex = createSearchIndex({ db, log })
  const postLimits = openLimits(config, promptDb)
  const intakeHealth = createIntakeHealth(promptDb, config.databaseUrl)
  const files = openFileStore(config.filePlace, config)
  const removing = openRemoving(config, { db, searchIndex, files, log, now })
  const parts = { postLimits, proofOfWork, dispatcher, mailWorker, searchIndex, metrics, log }
  const publishing = openPublishing(config, { db, promptDb, projectDir: SITE_DIR, now, log })
  const siteLocale = await openSiteLocale({ db, log })
  const isHealthy = async () => publishing.hasJoined() && (await intakeHealth.isTakingPosts())
  return {
    ...parts,
    ...removing,
    config,
    db,
    promptDb,
    intakeHealth,
    secretBox,
    ...openEntrance(config, { db, log }),
    desk: intakeHealth.watch(openDesk(config, { ...parts, db: promptDb })),
    heartbeat: createHeartbeat(promptDb, {
      ...{ config, log, isHealthy },
      isShared: openSharedSite(config) !== undefined,
    }),
    visits: openVisits(config, { db: promptDb, siteLocale, log, now }),
    siteLocale,
    publishing,
    files,
    pictureFiles: openPictureFiles(config.dataDir, openSharedSite(config)?.files),
    schemaRevision: (await findSchemaRevision(db)) ?? 'none',
    openWork: createOpenWork(),
  }
}

function listWorkers(parts: Parts): readonly Workers[] {
  const { publishing, dispatcher, mailWorker, heartbeat, searchIndex, siteLocale, visits } = parts
  return [
    { publishing },
    {
      ...{ deliveries: dispatcher, mails: mailWorker },
      ...{ 'password resets': parts.resetMails, 'answers to previews': parts.answerMails },
    },
    { heartbeat, ...listUpkeep({ ...parts, now }) },
    { 'search index': searchIndex, locale: siteLocale, visits },
  ]
}

function openEntrance(
  config: Config,
  { db, log }: Pick<App, 'db' | 'log'>,
): Pick<App, 'setup' | 'accountMail' | 'resetMails' | 'answerMails' | 'refusals'> {
  const clientOf = createClientAddress(config.trustedProxies)
  const refusals = createRefusalLog(log, { clientOf, now })
  const accountMail = createAccountMail(config)
  const mails = { db, config, accountMail, now, log }
  const [resetMails, answerMails] = [createResetMails(mails), createAnswerMails(mails)]
  return { setup: createSetup(db), accountMail, resetMails, answerMails, refusals }
}

async function openMetrics(config: Config, db: App['db']): Promise<Metrics | undefined> {
  if (config.metricsPort === undefined) return undefined
  const { createMetrics } = await import('./server/background/metrics.ts')
  const machine = historyOf({ dataDir: config.dataDir, shared: openSharedSite(config) })
  return createMetrics(db, { machine, now })
}

function openDispatcher(
  config: Config,
  { db, secretBox, metrics, log }: Pick<App, 'db' | 'secretBox' | 'metrics' | 'log'>,
): Dispatcher {
  return createDispatcher({
    db,
    secretBox,
    environment: process.env,
    siteUrl: config.siteUrl,
    adminUrl: config.adminUrl,
    retryScheduleMs: config.webhookRetrySchedule,
    timeoutMs: config.webhookTimeout,
    allow: config.webhookAllow,
    onAttempt: metrics?.countAttempt,
    logger: log,
  })
}

function openLimits({ rateLimit: limits, secretKeys }: Config, db: App['db']): PostLimits | undefined {
  return limits.length > 0 ? createPostLimits({ db, limits, secretKeys, now }) : undefined
}
