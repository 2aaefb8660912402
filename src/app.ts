import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createSetup, type Setup } from './auth/setup.ts'
import type { Config } from './config.ts'
import { connectDatabase } from './db/connect.ts'
import { tryFileLock } from './db/file-lock.ts'
import { findSchemaRevision, migrate } from './db/migrate.ts'
import type { Schema } from './db/schema.ts'
import { openSecretBox } from './db/secret-key-store.ts'
import { createOpenWork, type OpenWork } from './lib/open-work.ts'
import type { SecretBox } from './lib/secret-box.ts'
import type { MailWorker } from './notifications/mail-worker.ts'
import { machineOf } from './publish/publish-lock.ts'
import { startDailyBackups } from './server/daily-backups.ts'
import { startHousekeeping } from './server/housekeeping.ts'
import { createMailer } from './server/mailer.ts'
import type { Metrics } from './server/metrics.ts'
import { createLog } from './server/program-log.ts'
import { openPublishing, type Publishing } from './server/publishing.ts'
import { findPlaceOfPage } from './site/place-of-page.ts'
import { createSubmissionDesk, type SubmissionDesk } from './submissions/accept-submission.ts'
import { createPostLimits, type PostLimits } from './submissions/post-limits.ts'
import { createProofOfWork, type ProofOfWork } from './submissions/proof-of-work.ts'
import { createSearchIndex, type SearchIndex } from './submissions/search/search-index.ts'
import { createDispatcher, type Dispatcher } from './webhooks/dispatcher.ts'

/** Together with the server's grace for requests (3 s) the program ends within 10 s of SIGTERM. */
const DELIVERY_GRACE_MS = 5_000

/** The running program: what the server hands to its endpoints and pages. */
export interface App {
  config: Config
  log: Logger
  db: Kysely<Schema>
  secretBox: SecretBox
  setup: Setup
  desk: SubmissionDesk
  /** Undefined with `RATE_LIMIT=off`. */
  postLimits: PostLimits | undefined
  proofOfWork: ProofOfWork
  dispatcher: Dispatcher
  /** Undefined without a mail server. */
  mailWorker: MailWorker | undefined
  searchIndex: SearchIndex
  publishing: Publishing
  /** Undefined without `METRICS_PORT`. */
  metrics: Metrics | undefined
  /** Where the files of visitors are, outside every folder that is served. */
  uploadsDir: string
  /** The newest revision of the database, such as `0013_delivery_engine`. */
  schemaRevision: string
  /** What `close` and the end of the server wait for. */
  openWork: OpenWork
  /** Finishes attempts in flight and closes the database. */
  close(): Promise<void>
}

const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const now = () => new Date()

/** The composition root: opens and migrates the database and builds what needs it. Nothing is sent before `dispatcher.start()`. */
export async function openApp(config: Config): Promise<App> {
  const log = createLog(config.logLevel)
  const { db, unlock } = await openDatabase(config)
  const secretBox = await openSecretBox(db, config.secretKey)
  const metrics = await openMetrics(config, db)
  const dispatcher = openDispatcher(config, { db, secretBox, metrics, log })
  const mailWorker = createMailer(config, { db, log })
  const proofOfWork = createProofOfWork({ secretKey: config.secretKey, now })
  const uploadsDir = join(config.dataDir, 'uploads')
  const housekeeping = startHousekeeping({ db, uploadsDir, limits: config.rateLimits, now, log })
  const searchIndex = createSearchIndex({ db, log })
  const postLimits = openLimits(config, db)
  const desk = openDesk(config, { db, postLimits, proofOfWork, dispatcher, mailWorker, searchIndex, metrics })
  const backups = startDailyBackups({ config, log })
  const publishing = openPublishing(config, { db, projectDir: PROJECT_DIR, now, log })
  const openWork = createOpenWork()
  return {
    ...{ config, log, db, secretBox, desk, postLimits, proofOfWork, dispatcher, mailWorker, searchIndex },
    ...{ publishing, metrics, uploadsDir, openWork },
    setup: createSetup(db),
    schemaRevision: (await findSchemaRevision(db)) ?? 'none',
    async close() {
      const grace = { withinMs: DELIVERY_GRACE_MS }
      await openWork.end({ publishing: publishing.stop() })
      await openWork.end({ deliveries: dispatcher.stop(grace), mails: mailWorker?.stop(grace) })
      await openWork.end({
        housekeeping: housekeeping.stop(),
        backups: backups.stop(),
        'search index': searchIndex.stop(),
      })
      await openWork.end({ database: db.destroy() })
      unlock?.()
    },
  }
}

async function openMetrics({ metricsPort, dataDir }: Config, db: App['db']): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined
  const { createMetrics } = await import('./server/metrics.ts')
  return createMetrics(db, { machine: machineOf(dataDir), now })
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
    retryScheduleMs: config.retryScheduleMs,
    timeoutMs: config.webhookTimeoutMs,
    allow: config.webhookAllow,
    onAttempt: metrics?.countAttempt,
    logger: log,
  })
}

async function openDatabase({ databaseUrl }: Config) {
  const unlock = lockDatabase(databaseUrl)
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  return { db, unlock }
}

// Two servers on one SQLite file would take each other's deliveries up; PostgreSQL is made for several.
function lockDatabase(databaseUrl: string) {
  if (!databaseUrl.startsWith('file:')) return undefined
  const unlock = tryFileLock(`${databaseUrl.slice('file:'.length)}.server`)
  if (unlock) return unlock
  throw new Error('Another Signpost server uses this database; stop it, or set DATA_DIR to another folder')
}

function openLimits({ rateLimits: limits, secretKey }: Config, db: App['db']): PostLimits | undefined {
  return limits.length > 0 ? createPostLimits({ db, limits, secretKey, now }) : undefined
}

function openDesk(
  { siteUrl }: Config,
  {
    db,
    postLimits: limits,
    proofOfWork,
    dispatcher,
    mailWorker,
    searchIndex,
    metrics,
  }: Pick<App, 'db' | 'postLimits' | 'proofOfWork' | 'dispatcher' | 'mailWorker' | 'searchIndex' | 'metrics'>,
): SubmissionDesk {
  const desk = createSubmissionDesk({
    db,
    siteUrl,
    proofOfWork,
    findPage: (path) => findPlaceOfPage(db, path),
    onAccepted() {
      dispatcher.wake()
      mailWorker?.wake()
      searchIndex.wake()
    },
    sendsMail: mailWorker !== undefined,
    limits,
  })
  return metrics?.countSubmissions(desk) ?? desk
}
