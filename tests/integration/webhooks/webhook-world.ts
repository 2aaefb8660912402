import type { TestContext } from 'node:test'
import type { Kysely } from 'kysely'
import { NOTHING_RENAMED } from '#src/conditions/condition-slugs.ts'
import type { Schema } from '#src/db/schema.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import type { Answers } from '#src/templates/meta.ts'
import { submissionMeta } from '#src/webhooks/body/submission-meta.ts'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { listWebhooks } from '#src/webhooks/definition/webhook-store.ts'
import { insertDeliveries } from '#src/webhooks/deliveries/delivery-store.ts'
import { planDeliveries } from '#src/webhooks/deliveries/plan-deliveries.ts'
import { createDispatcher, type DispatcherOptions } from '#src/webhooks/dispatching/dispatcher.ts'
import { atEnd } from '../../support/at-end.ts'
import { waitUntil } from './wait-until.ts'

/** The built-in form `waitlist`. */
export const FORM_ID = 1
export const SITE_URL = 'https://www.example.com'
export const secretBox = createSecretBox(new Uint8Array(32).fill(7))

const FORM = { id: FORM_ID, slug: 'waitlist', name: 'Waitlist' }

/** Gives the form `waitlist` these webhooks. */
export async function haveWebhooks(db: Kysely<Schema>, ...definitions: object[]) {
  const parsed = definitions.map((definition) => webhookDefinition.parse(definition))
  await saveWebhooks(db, FORM_ID, parsed, { secretBox })
  return listWebhooks(db, FORM_ID)
}

/** Stores a submission of a page in Austin with its deliveries, as accepting it does. */
export async function submit(db: Kysely<Schema>, { answers = { email: 'a@example.com' } as Answers } = {}) {
  const now = new Date('2026-11-20T10:00:00.000Z')
  const page = { service_slug: 'ac-repair', location_slug: 'austin', page_path: '/services/ac-repair/austin' }
  const location = { location_name: 'Austin', location_path: 'usa/texas/austin' }
  const { id } = await db
    .insertInto('form_submissions')
    .values({ form_id: FORM_ID, data_json: JSON.stringify(answers), submitted_at: now.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('form_submissions')
    .set({ ...page, ...location })
    .where('id', '=', id)
    .execute()
  const origin = {
    ...{
      id,
      submittedAt: now.toISOString(),
      pagePath: page.page_path,
      serviceSlug: page.service_slug,
      serviceName: 'AC repair',
      form: FORM,
    },
    ...{ locationSlug: 'austin', locationName: 'Austin', locationPath: 'usa/texas/austin' },
  }
  const meta = submissionMeta(origin, { siteUrl: SITE_URL })
  const subject = { answers, meta, renamed: NOTHING_RENAMED }
  await insertDeliveries(db, planDeliveries(await listWebhooks(db, FORM_ID), subject, { now }))
  return id
}

/** A dispatcher that may reach 127.0.0.1, stopped when the test ends. */
export function aDispatcher(t: TestContext, db: Kysely<Schema>, options: Partial<DispatcherOptions> = {}) {
  const errors: object[] = []
  const logger = { info() {}, warn() {}, error: (details: object) => errors.push(details) }
  const defaults = {
    secretBox,
    environment: {},
    siteUrl: SITE_URL,
    retryScheduleMs: [1],
    timeoutMs: 3_000,
    allow: ['127.0.0.0/8'],
  }
  const dispatcher = createDispatcher({ db, logger, ...defaults, ...options })
  atEnd(t, () => dispatcher.stop({ withinMs: 0 }))
  return { dispatcher, errors }
}

/** All deliveries with what they send, in order. */
export function listDeliveries(db: Kysely<Schema>) {
  return db
    .selectFrom('webhook_deliveries')
    .leftJoin('delivery_bodies', 'delivery_id', 'id')
    .selectAll('webhook_deliveries')
    .select('body')
    .orderBy('id')
    .execute()
}

/** The deliveries as soon as none of them waits any more, in order. */
export function settledDeliveries(db: Kysely<Schema>) {
  return waitUntil('settled deliveries', async () => {
    const rows = await listDeliveries(db)
    return rows.every((row) => row.finished_at !== null) && rows
  })
}

export function listAttempts(db: Kysely<Schema>) {
  return db.selectFrom('delivery_attempts').selectAll().orderBy('id').execute()
}
