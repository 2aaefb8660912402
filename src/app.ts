import type { Kysely } from 'kysely'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { connectDatabase } from './db/connect.ts'
import { findSchemaRevision, migrate } from './db/migrate.ts'
import type { Schema } from './db/schema.ts'
import { createSecretBox, type SecretBox } from './lib/secret-box.ts'
import { findPlaceOfPage } from './site/place-of-page.ts'
import { createSubmissionDesk, type SubmissionDesk } from './submissions/accept-submission.ts'
import { createDispatcher, type Dispatcher } from './webhooks/dispatcher.ts'

/** Together with the server's grace for requests (3 s) the program ends within 10 s of SIGTERM. */
const DELIVERY_GRACE_MS = 5_000

/** The running program: what the server hands to its endpoints and pages. */
export interface App {
  config: Config
  log: Logger
  db: Kysely<Schema>
  secretBox: SecretBox
  desk: SubmissionDesk
  dispatcher: Dispatcher
  /** The newest revision of the database, such as `0013_delivery_engine`. */
  schemaRevision: string
  /** Finishes attempts in flight and closes the database. */
  close(): Promise<void>
}

/** The composition root: opens and migrates the database and builds what needs it. Nothing is sent before `dispatcher.start()`. */
export async function openApp(config: Config): Promise<App> {
  const log = pino({ level: config.logLevel })
  const db = connectDatabase(config.databaseUrl)
  await migrate(db)
  const secretBox = createSecretBox(config.secretKey)
  const dispatcher = createDispatcher({
    db,
    secretBox,
    siteUrl: config.siteUrl,
    retryScheduleMs: config.retryScheduleMs,
    timeoutMs: config.webhookTimeoutMs,
    allow: config.webhookAllow,
    logger: log,
  })
  const desk = createSubmissionDesk({
    db,
    siteUrl: config.siteUrl,
    findPage: (path) => findPlaceOfPage(db, path),
    onAccepted: () => dispatcher.wake(),
  })
  return {
    config,
    log,
    db,
    secretBox,
    desk,
    dispatcher,
    schemaRevision: (await findSchemaRevision(db)) ?? 'none',
    async close() {
      await dispatcher.stop({ withinMs: DELIVERY_GRACE_MS })
      await db.destroy()
    },
  }
}
