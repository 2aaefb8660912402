import type { App } from '#src/app.ts'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { startSession } from '#src/auth/sessions.ts'
import { findWithTerms, recordEdited } from '#src/entries/history/record-entry.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { saveWebhook } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { reasonColumns } from '#src/webhooks/reasons/reason-columns.ts'

/** Runs wherever it is written unescaped into HTML, a script, an attribute, or a template. */
const MARKUP = `"'--></script></textarea></title><img src=x onerror=ran=1><script>ran=1</script>{{ran}}\${ran}`
const LINK = `[${MARKUP}](javascript:ran=1) <javascript:ran=1>\n\n${MARKUP}`
const AT = '2026-11-20T10:00:00.000Z'

/** Puts markup into every text of the database that a person or visitor can write, with a row in each table. */
export async function storeMarkup(app: App): Promise<void> {
  await markForm(app)
  await markContent(app)
  await markSubmission(app)
  await markAccounts(app)
}

async function markForm({ db, desk, secretBox }: App) {
  const texts = { name: MARKUP, description: MARKUP }
  const notification = { to: ['a@example.com'], subject: MARKUP, text: MARKUP }
  const reply = { subject: MARKUP, text: MARKUP }
  const notifications = [notification, notification]
  const settings = { success_heading: MARKUP, success_body: LINK, notifications, reply }
  await db
    .updateTable('forms')
    .set({ ...texts, settings_json: JSON.stringify(settings) })
    .execute()
  const field = { label: MARKUP, placeholder: MARKUP, default_value: MARKUP, help_text: MARKUP }
  const options_json = JSON.stringify([`${MARKUP}/x`])
  await db
    .updateTable('form_fields')
    .set({ ...field, options_json })
    .execute()
  for (const { form_id, fields_json } of await db.selectFrom('form_versions').selectAll().execute()) {
    const marked = JSON.parse(fields_json).map((one: object) => ({ ...one, ...field }))
    await db
      .updateTable('form_versions')
      .set({ fields_json: JSON.stringify(marked) })
      .where('form_id', '=', form_id)
      .execute()
  }
  const webhook = {
    ...{ name: MARKUP, url: 'https://127.0.0.1:9/', headers: { 'X-Mark': MARKUP }, max_retries: 0 },
    ...{ payload_template: { [MARKUP]: `${MARKUP} {{email}}` }, fire_on: { role: MARKUP } },
  }
  const definition = webhookDefinition.parse(webhook)
  await saveWebhook(db, { stored: undefined, formId: 1, definition }, { secretBox, now: new Date(AT) })
  await db
    .updateTable('form_webhooks')
    .set({
      url: `https://127.0.0.1:9/${MARKUP}`,
      disabled_at: AT,
      disabled_code: 'other',
      disabled_text: MARKUP,
    })
    .execute()
  desk.invalidate()
}

async function markContent({ db }: App) {
  const texts = { name: MARKUP, description: LINK }
  await db.updateTable('taxonomies').set(texts).execute()
  await db.updateTable('taxonomy_terms').set(texts).execute()
  await db.updateTable('content_types').set(texts).execute()
  for (const { id, data_json } of await db.selectFrom('content_entries').selectAll().execute()) {
    const words = { summary: MARKUP, intro: LINK, phone: MARKUP, address: MARKUP, city: MARKUP, icon: MARKUP }
    const lists = { includes: [MARKUP], steps: [{ title: MARKUP, text: LINK }] }
    const faq = [{ question: MARKUP, answer: LINK }]
    const map_embed_url = 'javascript:ran=1'
    const data = { ...JSON.parse(data_json), ...words, ...lists, faq, map_embed_url, price_from: MARKUP }
    await db
      .updateTable('content_entries')
      .set({ title: MARKUP, body: LINK, data_json: JSON.stringify(data), is_generated: 0 })
      .where('id', '=', id)
      .execute()
  }
  const ids = (await db.selectFrom('content_entries').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
  for (const entry of await findWithTerms(db, ids))
    await recordEdited(db, entry, { now: AT, by: { source: 'admin', email: MARKUP } })
  const business = { name: MARKUP, tagline: MARKUP, phone: MARKUP, address: MARKUP }
  const home = { title: MARKUP, heading: MARKUP, intro: LINK, faq: [{ question: MARKUP, answer: LINK }] }
  const opening_hours = [{ days: MARKUP, hours: MARKUP }]
  await saveSiteSettings(db, siteSettings.parse({ ...business, opening_hours, home }), { now: AT })
}

async function markSubmission({ db, desk }: App) {
  const sent = { full_name: 'Eve', email: 'a@example.com', phone: '+1 512 555 0100', role: 'x' }
  const outcome = await desk.accept('waitlist', sent)
  if (outcome.kind !== 'accepted') throw new Error(`The submission was ${outcome.kind}`)
  const origin = { page_path: `/${MARKUP}`, location_name: MARKUP, service_slug: MARKUP }
  // Doesn't match the webhook's condition, so that resending asks on its own page.
  const role = `${MARKUP}!`
  const answers = { full_name: MARKUP, email: MARKUP, phone: MARKUP, role, bottleneck: MARKUP }
  const data = JSON.stringify({ ...answers, photo: { name: MARKUP, size: 1, type: MARKUP, upload_id: 1 } })
  await db
    .updateTable('form_submissions')
    .set({
      ...origin,
      data_json: data,
      spam_code: 'other',
      spam_params_json: JSON.stringify({ text: MARKUP }),
    })
    .execute()
  const file = { field_name: 'photo', name: MARKUP, size: 1, type: MARKUP, folder: 'x', file: 'y' }
  await db
    .insertInto('uploads')
    .values({ ...file, submission_id: 1, created_at: AT })
    .execute()
  await db
    .insertInto('submission_notes')
    .values({ submission_id: 1, user_email: MARKUP, body: MARKUP })
    .execute()
  await db
    .updateTable('notification_mails')
    .set({ recipient: MARKUP, status: 'failed', next_attempt_at: null })
    .execute()
  const reason = reasonColumns({ code: 'other', params: { text: MARKUP } })
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', ...reason })
    .execute()
  await db
    .insertInto('delivery_attempts')
    .values({
      ...{ delivery_id: 1, attempt_number: 1, started_at: AT, duration_ms: 1, request_url: MARKUP },
      ...{ response_status: 500, response_headers_json: JSON.stringify({ [MARKUP]: MARKUP }) },
      ...{ response_body: MARKUP, failure_kind: 'status', failure_message: MARKUP, request_method: MARKUP },
      request_headers_json: JSON.stringify({ [MARKUP]: MARKUP }),
    })
    .execute()
  await db.insertInto('delivery_bodies').values({ delivery_id: 1, body: MARKUP }).execute()
}

async function markAccounts({ db }: App) {
  const password = 'a ladder in the fog'
  const account = { email: `${MARKUP}@example.com`, name: MARKUP, password }
  const eve = await createAdministrator(db, account, { now: new Date(AT) })
  if (eve.kind !== 'saved') throw new Error(`The account was ${eve.kind}`)
  await startSession(db, eve.value, { address: '127.0.0.1', userAgent: MARKUP }, { now: new Date() })
  const filter = { user_id: eve.value, name: MARKUP, is_shared: 1, filter_json: '{"stage":"won"}' } as const
  await db.insertInto('saved_filters').values(filter).execute()
  const entry = { user_email: MARKUP, action: MARKUP, summary: MARKUP, address: MARKUP }
  await db.insertInto('audit_log').values(entry).execute()
  const failed = {
    machine: MARKUP,
    started_by: 'admin',
    started_at: AT,
    finished_at: AT,
    status: 'failed',
  } as const
  await db
    .insertInto('publishes')
    .values({ ...failed, user_id: eve.value, failure_message: MARKUP })
    .execute()
}
