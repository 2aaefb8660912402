import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { receiveWebhook, type WebhookEditor } from '#src/admin/webhooks/webhook-form.ts'
import { addWebhook } from '#src/webhooks/definition/edit-webhook.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { findWebhook, listWebhooks } from '#src/webhooks/definition/webhook-store.ts'
import { anAdminPage, answerOf, PASSWORD } from '../../../support/admin-page.ts'
import { addPlaces } from '../../../support/small-site.ts'
import { FORM_ID, submit } from '../../webhooks/webhook-world.ts'

const HERE = { url: 'https://a.example/in', headers: 'X-Api-Key: ••••', template: '' }

/** The editor of webhooks of the waitlist. */
async function theEditor(t: TestContext, given: Parameters<typeof anAdminPage>[1] = {}) {
  const page = await anAdminPage(t, given)
  const { db, app } = page
  const paramsOf = (id: number | undefined) => ({
    form: 'waitlist',
    ...(id !== undefined && { id: String(id) }),
  })
  const add = (more: object = {}) => {
    const headers = { 'X-Api-Key': 'in-clear' }
    const definition = { name: 'Office', url: HERE.url, headers, max_retries: 6, enabled: true, ...more }
    const { secretBox } = app
    return addWebhook(db, FORM_ID, webhookDefinition.parse(definition), { secretBox, now: new Date() })
  }
  /** Posts a form with these values; an ID is that of a stored webhook. */
  const post = async (
    values: Record<string, string | readonly string[]>,
    { id, isConfirmed = true }: { id?: number; isConfirmed?: boolean } = {},
  ) => {
    const fields = {
      ...{ ...HERE, name: 'Office', method: 'POST', headers: '', max_retries: '6', enabled: 'on' },
      ...{ match: 'always', fire_on: '', ...values },
    }
    const context = page.open('/admin/x', { params: paramsOf(id), post: fields, isConfirmed })
    const answer = await receiveWebhook(context)
    return { answer, status: context.response.status, editor: answer as WebhookEditor }
  }
  const show = async (id?: number) =>
    (await receiveWebhook(page.open('/admin/x', { params: paramsOf(id) }))) as WebhookEditor
  const texts = async () => (await page.activity()).map(({ summary }) => summary)
  return { ...page, add, post, show, texts, stored: () => listWebhooks(db, FORM_ID) }
}

test('a new webhook is added to its form, and the activity names it', async (t) => {
  const { post, show, stored, message, activity, woken } = await theEditor(t)
  const blank = await show()
  assert.deepEqual([blank.webhook, blank.input.method, blank.basedOn], [undefined, 'POST', undefined])
  assert.deepEqual([blank.submission, blank.asksPassword], ['', false])
  const { answer } = await post({ headers: 'X-Api-Key: in-clear' })
  const [webhook] = await stored()
  assert.equal(answerOf(answer), `303 /admin/forms/waitlist/webhooks/${webhook?.id}`)
  assert.deepEqual(message(), { kind: 'success', text: 'Webhook “Office” added.' })
  const [entry] = await activity()
  assert.deepEqual([entry?.action, entry?.subjectId], ['webhook.added', String(webhook?.id)])
  assert.match(entry?.summary ?? '', /“Office”.* waitlist$/)
  assert.deepEqual(woken, ['desk', 'dispatcher'])
  assert.ok(!JSON.stringify(webhook).includes('in-clear'))
})

test('a new webhook continues to its signing secret if that was wanted', async (t) => {
  const { add, post, stored, message } = await theEditor(t)
  const { answer } = await post({ generate_secret: 'on' })
  const [webhook] = await stored()
  assert.equal(answerOf(answer), `303 /admin/forms/waitlist/webhooks/${webhook?.id}/secret`)
  assert.match(message()?.text ?? '', /signing secret/)
  const id = await add()
  const changed = await post({ ...HERE, generate_secret: 'on' }, { id })
  assert.equal(answerOf(changed.answer), `303 /admin/forms/waitlist/webhooks/${id}`)
  // The choice survives a mistake.
  assert.equal((await post({ url: 'x', generate_secret: 'on' })).editor.generatesSecret, true)
  assert.equal(
    (await post({ ...HERE, url: 'x', generate_secret: 'on' }, { id })).editor.generatesSecret,
    false,
  )
})

test('an address that nothing can be sent to is saved with a warning', async (t) => {
  const url = 'https://127.0.0.1/in'
  const { post, message, stored } = await theEditor(t)
  await post({ url })
  const warned = message()
  assert.equal(warned?.kind, 'error')
  assert.match(warned?.text ?? '', /^Webhook “Office” added\. .*can’t send/)
  assert.equal((await stored()).length, 1)
  const allowed = await theEditor(t, { config: { webhookAllow: ['127.0.0.0/8'] } })
  await allowed.post({ url })
  assert.equal(allowed.message()?.kind, 'success')
})

test('a changed webhook keeps its secrets', async (t) => {
  const { db, add, post, show, message, texts } = await theEditor(t)
  const id = await add()
  const before = await show(id)
  assert.deepEqual([before.input.headers, before.webhook?.id], [HERE.headers, id])
  const { answer } = await post({ ...HERE, name: 'CRM', based_on: before.basedOn ?? '' }, { id })
  assert.equal(answerOf(answer), `303 /admin/forms/waitlist/webhooks/${id}`)
  const saved = message()
  assert.equal(saved?.kind, 'success')
  assert.doesNotMatch(saved?.text ?? '', /again/)
  const after = await findWebhook(db, id)
  assert.deepEqual([after?.name, after?.headers], ['CRM', before.webhook?.headers])
  assert.match((await texts())[0] ?? '', /^Changed the webhook “CRM”/)
})

test('a webhook that someone else changed in the meantime is not saved', async (t) => {
  const { db, add, post, show, activity } = await theEditor(t)
  const id = await add()
  const { basedOn = '' } = await show(id)
  await post({ ...HERE, name: 'CRM', based_on: basedOn }, { id })
  const { editor, status } = await post({ ...HERE, name: 'Late', based_on: basedOn }, { id })
  assert.equal(status, 409)
  assert.match(editor.errors['']?.[0] ?? '', /webhook/)
  assert.equal(editor.input.name, 'Late')
  assert.notEqual(editor.basedOn, basedOn)
  assert.equal((await findWebhook(db, id))?.name, 'CRM')
  assert.equal((await activity()).length, 1)
})

test('another origin needs the password, and loses the secrets', async (t) => {
  const { db, add, post, message, texts, jar, stored } = await theEditor(t)
  const id = await add()
  const moved = { ...HERE, url: 'https://b.example/in' }
  for (const [password, problem] of [
    ['', /Enter your password/],
    ['wrong', /^(?!Enter your password)/],
  ] as const) {
    const { editor, status } = await post({ ...moved, password }, { id, isConfirmed: false })
    assert.deepEqual([status, editor.asksPassword], [422, true], password)
    assert.match(editor.errors.password?.[0] ?? '', problem)
  }
  assert.deepEqual([(await stored())[0]?.url, jar.size], [HERE.url, 0])
  const same = await post({ ...HERE, url: 'https://a.example/other' }, { id, isConfirmed: false })
  assert.equal(answerOf(same.answer).slice(0, 3), '303')
  const { answer } = await post({ ...moved, password: PASSWORD }, { id, isConfirmed: false })
  assert.equal(answerOf(answer).slice(0, 3), '303')
  assert.match(message()?.text ?? '', /Enter the header X-Api-Key again/)
  assert.match((await texts())[0] ?? '', /https:\/\/a\.example.*https:\/\/b\.example/)
  const after = await findWebhook(db, id)
  assert.deepEqual([after?.url, Object.keys(after?.headers ?? {})], [moved.url, []])
  // The browser has a new session token.
  assert.match(jar.get('signpost_session') ?? '', /^[\w-]{43}$/)
  // A password confirmed just now is enough.
  assert.equal(answerOf((await post({ url: HERE.url }, { id })).answer).slice(0, 3), '303')
})

test('mistakes are shown at their inputs, and nothing is saved', async (t) => {
  const { post, stored, woken } = await theEditor(t)
  const { editor, status } = await post({ url: 'nope', template: '"{{nope}}"', headers: 'x' })
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(editor.errors).sort(), ['headers', 'template', 'url'])
  assert.deepEqual([editor.input.url, editor.asksPassword], ['nope', false])
  const rules = {
    match: 'all',
    rule_field: ['meta.location_slug'],
    rule_op: ['eq'],
    rule_value: ['New York'],
  }
  const named = await post(rules)
  assert.match(named.editor.errors.rules?.join() ?? '', /^No place is called “New York”/)
  assert.deepEqual([await stored(), woken], [[], []])
})

test('rows are added and removed without saving or checking anything', async (t) => {
  const { post, stored } = await theEditor(t)
  const added = await post({ url: 'nope', act: 'rule-add', generate_secret: 'on', submission: '7' })
  assert.deepEqual([added.status, added.editor.errors], [200, {}])
  assert.equal(added.editor.input.rules.length, 1)
  assert.deepEqual([added.editor.submission, added.editor.generatesSecret], ['7', true])
  const two = { match: 'any', rule_field: ['email', 'role'], rule_op: ['eq', 'eq'], rule_value: ['a', 'b'] }
  const removed = await post({ ...two, act: 'rule-remove:0' })
  assert.deepEqual(removed.editor.input.rules, [{ field: 'role', op: 'eq', value: 'b' }])
  assert.deepEqual(await stored(), [])
})

test('places of conditions are stored by slug and shown by name', async (t) => {
  const { db, post, show, stored } = await theEditor(t)
  await addPlaces(db, 'fort-worth')
  const rules = { match: 'all', rule_field: ['meta.location_slug'], rule_op: ['eq'] }
  await post({ ...rules, rule_value: ['fort worth'] })
  const [webhook] = await stored()
  assert.deepEqual(webhook?.fireOn, { all: [{ field: 'meta.location_slug', op: 'eq', value: 'fort-worth' }] })
  assert.equal((await show(webhook?.id)).input.rules[0]?.value, 'Fort Worth')
})

test('a preview is the request of the chosen lead, or of the latest', async (t) => {
  const { db, add, post, stored } = await theEditor(t)
  const preview = async (values: Record<string, string | readonly string[]>, of = {}) =>
    (await post({ act: 'preview', template: '{"mail": "{{email}}"}', ...values }, of)).editor
  assert.equal((await preview({})).shown.preview?.kind, 'submission_not_found')
  const first = await submit(db, { answers: { email: 'first@example.com' } })
  await submit(db, { answers: { email: 'latest@example.com' } })
  const bodyOf = ({ shown: { preview: shown } }: WebhookEditor) =>
    shown?.kind === 'preview' && shown.request.body
  const latest = await preview({})
  assert.equal(bodyOf(latest), '{"mail":"latest@example.com"}')
  assert.equal(latest.warnings.nulls.length, 0)
  const chosen = await preview({ submission: String(first) })
  assert.deepEqual([bodyOf(chosen), chosen.submission], ['{"mail":"first@example.com"}', String(first)])
  assert.equal(bodyOf(await preview({ submission: 'x' })), bodyOf(latest))
  const address = await preview({ template: '"{{meta.page_url}}"' })
  assert.equal(bodyOf(address), '"https://www.example.com/services/ac-repair/austin"')
  assert.deepEqual(await stored(), [])
  // Dots stand for stored secrets, which stay hidden.
  const id = await add()
  const { shown } = await preview({ headers: HERE.headers }, { id })
  assert.ok(shown.preview?.kind === 'preview')
  assert.ok(!JSON.stringify(shown).includes('in-clear'))
  assert.equal((await stored())[0]?.payloadTemplate, null)
})

test('a dry run tells which leads the new settings would send', async (t) => {
  const { db, add, post } = await theEditor(t)
  for (const email of ['a@example.com', 'b@example.com']) await submit(db, { answers: { email } })
  const run = async (of = {}) => {
    const rules = { match: 'all', rule_field: ['email'], rule_op: ['eq'], rule_value: ['b@example.com'] }
    const { editor } = await post({ ...HERE, headers: '', ...rules, act: 'dry-run' }, of)
    return editor.shown.dryRun?.map(({ before, after }) => [before.fires, after.fires])
  }
  assert.deepEqual(await run(), [
    [false, true],
    [false, false],
  ])
  const id = await add()
  assert.deepEqual(await run({ id }), [
    [true, true],
    [true, false],
  ])
})

test('a template that may send null is warned about when it is stored or tried', async (t) => {
  const { add, post, show } = await theEditor(t)
  const template = { payload_template: { text: '{{meta.location_name}}' } }
  const id = await add(template)
  const stored = await show(id)
  assert.ok(stored.warnings.nulls.length > 0)
  assert.equal((await show()).warnings.nulls.length, 0)
  const text = JSON.stringify(template.payload_template)
  assert.deepEqual((await post({ template: text, act: 'preview' })).editor.warnings, stored.warnings)
  // Not while rows are edited.
  assert.equal((await post({ template: text, act: 'rule-add' }, { id })).editor.warnings.nulls.length, 0)
})

test('a webhook is found only below its own form', async (t) => {
  const { open, add } = await theEditor(t)
  const id = String(await add())
  for (const params of [{ form: 'contact', id }, { form: 'waitlist', id: '999' }, { form: 'gone' }])
    assert.equal(answerOf(await receiveWebhook(open('/admin/x', { params }))), '404', JSON.stringify(params))
})
