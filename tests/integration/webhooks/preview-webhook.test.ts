import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDryRun, describeReason } from '#src/messages/admin/webhooks/reasons.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { dryRunWebhook } from '#src/webhooks/trials/dry-run-webhook.ts'
import { listWebhookWarnings, previewWebhook } from '#src/webhooks/trials/preview-webhook.ts'
import { openTestDatabase } from '../../support/database.ts'
import { FORM_ID, haveWebhooks, SITE_URL, submit } from './webhook-world.ts'

const URL_A = 'https://a.example.com/hook'
const OPTIONS = { siteUrl: SITE_URL }

test('contract §6: a preview shows the request that a stored submission would make, without secrets', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, {
    ...{ url: URL_A, headers: { Authorization: 'Bearer hush', 'X-Team': 'sales' }, signing_secret: 'hush' },
    ...{
      fire_on: { email: 'b@example.com' },
      payload_template: { to: '{{email}}', at: '{{meta.location_slug}}' },
    },
  })
  const submissionId = await submit(db)
  const preview = await previewWebhook(db, webhook?.id ?? 0, submissionId, OPTIONS)
  assert.equal(preview.kind, 'preview')
  assert.ok('request' in preview)
  assert.deepEqual([preview.request.method, preview.request.url], ['POST', URL_A])
  assert.equal(preview.request.body, '{"to":"a@example.com","at":"austin"}')
  assert.deepEqual(
    [preview.request.headers.Authorization, preview.request.headers['X-Team']],
    ['••••', 'sales'],
  )
  assert.deepEqual(
    [preview.fires, preview.reason && describeReason(preview.reason)],
    [false, '“email” is “a@example.com”; this webhook is for leads where “email” is “b@example.com”'],
  )
  assert.deepEqual(await db.selectFrom('webhook_deliveries').select('webhook_id').execute(), [
    { webhook_id: webhook?.id },
  ])
})

test('an unsaved webhook is previewed as edited', async (t) => {
  const db = await openTestDatabase(t)
  const submissionId = await submit(db)
  const draft = webhookDefinition.parse({ url: URL_A, payload_template: ['{{email}}'] })
  const preview = await previewWebhook(db, draft, submissionId, OPTIONS)
  assert.ok('request' in preview)
  assert.deepEqual([preview.request.body, preview.fires], ['["a@example.com"]', true])
  assert.deepEqual(await previewWebhook(db, draft, 99, OPTIONS), { kind: 'submission_not_found' })
  assert.deepEqual(await previewWebhook(db, 99, submissionId, OPTIONS), { kind: 'webhook_not_found' })
})

test('a broken stored template previews as its problem', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, { url: URL_A })
  const submissionId = await submit(db)
  await db.updateTable('form_webhooks').set({ payload_template_json: '{' }).execute()
  const preview = await previewWebhook(db, webhook?.id ?? 0, submissionId, OPTIONS)
  assert.equal(preview.kind === 'unusable' && preview.reason.code, 'template_unreadable')
})

test('contract §6: a field removed later is a warning', () => {
  const definition = webhookDefinition.parse({
    ...{ url: URL_A, payload_template: { a: '{{email}}', b: '{{gone | text}}' }, fire_on: { lost: 'x' } },
  })
  const asking = (...names: string[]) =>
    listWebhookWarnings(
      definition,
      names.map((name) => ({ name, type: 'text', required: true, hasOptions: false })),
    )
  assert.deepEqual(asking('email', 'gone', 'lost'), { lost: [], nulls: [] })
  assert.deepEqual(asking('email'), { lost: ['gone', 'lost'], nulls: [] })
})

test('a dry run shows for recent submissions whether the webhook fires and its body differs', async (t) => {
  const db = await openTestDatabase(t)
  const before = { url: URL_A, payload_template: { role: '{{role}}' } }
  const [webhook] = await haveWebhooks(db, before)
  const ids = [
    await submit(db, { answers: { role: 'old' } }),
    await submit(db, { answers: { role: 'owner' } }),
    await submit(db, { answers: { role: 'agency' } }),
  ]
  const id = webhook?.id ?? 0
  const changed = webhookDefinition.parse({ ...before, fire_on: { role: 'owner' } })
  const runs = await dryRunWebhook(db, id, changed, { ...OPTIONS, limit: 2 })
  assert.deepEqual(
    runs?.map((run) => [run.submissionId, run.before.fires, run.after.fires, run.bodyDiffers]),
    [
      [ids[2], true, false, false],
      [ids[1], true, true, false],
    ],
  )
  const [reason] = runs?.map(({ after }) => after.reason) ?? []
  assert.equal(
    reason && describeDryRun(reason),
    '“role” is “agency”; this webhook is for leads where “role” is “owner”',
  )
  const other = webhookDefinition.parse({ ...before, payload_template: { role: 'always' } })
  const differing = await dryRunWebhook(db, id, other, { ...OPTIONS, limit: 1 })
  assert.deepEqual([differing?.[0]?.bodyDiffers, differing?.[0]?.after.body], [true, '{"role":"always"}'])
  const off = webhookDefinition.parse({ ...before, enabled: false })
  const [switched] = (await dryRunWebhook(db, id, off, { ...OPTIONS, limit: 1 })) ?? []
  assert.deepEqual([switched?.before.fires, switched?.after.fires], [true, false])
  assert.equal(switched?.after.reason?.code, 'off')
  assert.equal(await dryRunWebhook(db, 99, changed, { ...OPTIONS, limit: 2 }), undefined)
})

test('a body that isn’t sent has no warnings about null', () => {
  const fields = [{ name: 'email', type: 'text', required: false, hasOptions: false }]
  const definition = { payload_template: { a: '{{email}}' }, fire_on: null }
  const warningsOf = (method: 'GET' | 'POST') => listWebhookWarnings({ method, ...definition }, fields)
  assert.equal(warningsOf('POST').nulls.length, 1)
  assert.deepEqual(warningsOf('GET'), { lost: [], nulls: [] })
})

test('a dry run leaves out unreadable answers, and says why the stored webhook can’t be sent', async (t) => {
  const db = await openTestDatabase(t)
  const [webhook] = await haveWebhooks(db, { url: URL_A })
  const [readable, unreadable] = [await submit(db), await submit(db)]
  await db.updateTable('form_submissions').set({ data_json: '[' }).where('id', '=', unreadable).execute()
  await db.updateTable('form_webhooks').set({ payload_template_json: '{' }).execute()
  const changed = webhookDefinition.parse({ url: URL_A, payload_template: ['{{email}}'] })
  const [run, ...others] =
    (await dryRunWebhook(db, webhook?.id ?? 0, changed, { ...OPTIONS, limit: 9 })) ?? []
  assert.deepEqual([run?.submissionId, others], [readable, []])
  const { reason, ...before } = run?.before ?? { reason: null }
  assert.deepEqual([before, reason?.code], [{ fires: false, body: null }, 'template_unreadable'])
  assert.deepEqual(run?.after, { fires: true, reason: null, body: '["a@example.com"]' })
})

test('a dry run of a new webhook starts from none', async (t) => {
  const db = await openTestDatabase(t)
  await submit(db)
  const added = webhookDefinition.parse({ url: URL_A, payload_template: ['{{email}}'] })
  const [run] = (await dryRunWebhook(db, { formId: FORM_ID }, added, { ...OPTIONS, limit: 1 })) ?? []
  assert.deepEqual(run?.before, { fires: false, reason: { code: 'not_there' }, body: null })
  assert.deepEqual(run?.after, { fires: true, reason: null, body: '["a@example.com"]' })
})
