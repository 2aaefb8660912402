import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Schema } from '../../src/db/schema.ts'
import { fixedRing } from '../../src/lib/key-ring.ts'
import { createSecretBox, type SecretBox } from '../../src/lib/secret-box.ts'
import { createSubmissionDesk } from '../../src/submissions/intake/accept-submission.ts'
import { createProofOfWork } from '../../src/submissions/limits/proof-of-work.ts'
import { saveWebhooks } from '../../src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '../../src/webhooks/definition/webhook-definition.ts'
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from '../../src/webhooks/dispatching/dispatcher.ts'

const FORM_ID = 1
const FORM_SLUG = 'waitlist'
const SITE_URL = 'https://www.example.com'
const KEY_BYTES = 32
const TIMEOUT_MS = 15_000
const POSTED_AT_ONCE = 64
const ANSWERS = {
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+1 512 555 0100',
  role: 'owner',
  clients_managed: '12',
  bottleneck: 'Every lead waits for a person who copies it by hand.',
}

/** A migrated database, with the built-in form and signed webhooks. */
export interface WebhookWorkload {
  db: Kysely<Schema>
  /** Gives the form one signed webhook per URL. */
  haveWebhooks(urls: readonly string[]): Promise<void>
  /** Posts the form this often, each a submission with its deliveries; calls `onAccepted` after each commit. */
  submit(count: number, onAccepted?: () => void): Promise<void>
  /** Not started yet. May reach loopback; calls `onDelivered` after each recorded success. */
  createDispatcher(options: Partial<DispatcherOptions> & { onDelivered?: () => void }): Dispatcher
  close(): Promise<void>
}

/** Opens this empty database, or a SQLite file in a temporary folder, which `close` removes. */
export async function openWebhookWorkload(databaseUrl?: string): Promise<WebhookWorkload> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const db = connectDatabase(databaseUrl ?? `file:${join(folder, 'signpost.db')}`)
  await migrate(db)
  const secretBox = createSecretBox(randomBytes(KEY_BYTES))
  return {
    db,
    haveWebhooks: (urls) => saveWebhooks(db, FORM_ID, urls.map(toDefinition), { secretBox }),
    submit: (count, onAccepted = () => {}) => post(db, count, onAccepted),
    createDispatcher: ({ onDelivered = () => {}, ...options }) =>
      createDispatcher({ ...standardOptions(db, secretBox, onDelivered), ...options }),
    async close() {
      await db.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function toDefinition(url: string, index: number) {
  return webhookDefinition.parse({ name: `Webhook ${index}`, url, signing_secret: 'a secret of the bench' })
}

async function post(db: Kysely<Schema>, count: number, onAccepted: () => void) {
  const desk = createSubmissionDesk({
    db,
    siteUrl: SITE_URL,
    sendsMail: false,
    findPage: () => undefined,
    onAccepted,
    proofOfWork: createProofOfWork({
      secretKeys: fixedRing(new Uint8Array(KEY_BYTES)),
      now: () => new Date(),
    }),
  })
  for (let left = count; left > 0; left -= POSTED_AT_ONCE) {
    const posts = Array.from({ length: Math.min(left, POSTED_AT_ONCE) }, () =>
      desk.accept(FORM_SLUG, ANSWERS),
    )
    for (const outcome of await Promise.all(posts)) {
      if (outcome.kind !== 'accepted') throw new Error(`A post was not accepted: ${outcome.kind}`)
    }
  }
}

function standardOptions(
  db: Kysely<Schema>,
  secretBox: SecretBox,
  onDelivered: () => void,
): DispatcherOptions {
  const logger = {
    info: onDelivered,
    warn() {},
    error: (details: object) => console.error(details),
  }
  const sending = { retryScheduleMs: [1_000], timeoutMs: TIMEOUT_MS, allow: ['127.0.0.0/8'] }
  return { db, secretBox, environment: {}, siteUrl: SITE_URL, logger, ...sending }
}
