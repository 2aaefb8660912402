// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { saveWebhook } from '#src/webhooks/definition/save-webhook-store.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { findWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { basedOn, readAnswer, wordsOf } from '../../support/pages/read-page.ts'
import { messageOf, newestChanges } from '../../support/pages/told.ts'
import { startReceiver } from '../../support/receiver.ts'
import { FORM_ID, settledDeliveries, submit } from '../webhooks/webhook-world.ts'

const WEBHOOKS = '/admin/forms/waitlist/webhooks'
const MARKUP = '"><img src=x onerror=alert(1)>'

/** What the editor posts for a webhook that fires always. */
function fields(values: Record<string, string | string[]>) {
  return {
    ...{ name: 'Office', method: 'POST', headers: '', template: '', max_retries: '6', enabled: 'on' },
    ...{ match: 'always', fire_on: '', act: 'save' },
    ...values,
  }
}

async function added(site: AdminSite, values: Record<string, string | string[]>): Promise<string> {
  const response = await site.post(`${WEBHOOKS}/new`, fields(values))
  assert.equal(response.status, 303, await response.text())
  return response.headers.get('location') ?? ''
}

async function delivered(site: AdminSite) {
  await submit(site.app.db, { answers: { full_name: MARKUP, email: 'a@example.com', role: 'owner' } })
  site.app.dispatcher.wake()
  return settledDeliveries(site.app.db)
}

const DRY_RUN = { name: 'Dry run on the latest leads' }

async function secretIn(response: Response): Promise<string> {
  const secret = (await readAnswer(response)).valueOf('Signing secret')
  assert.equal(String(secret).slice(0, 6), 'whsec_')
  return String(secret)
}

const newestChange = async (site: AdminSite) => (await newestChanges(site))[0]

test('issue 5 item 4: webhooks in the admin', async (t) => {
  const site = await startAdmin(t)

  await t.test('without webhooks, each list says so', async () => {
    ;(await site.open('/admin/webhooks')).getByText('No webhooks yet')
    ;(await site.open(WEBHOOKS)).getByText('This form has no webhooks yet')
  })

  await t.test('errors are shown at their fields, and nothing is added', async () => {
    const mistaken = await site.post(`${WEBHOOKS}/new`, fields({ url: 'nope', template: '"{{nope}}"' }))
    const page = await readAnswer(mistaken, 422)
    const address = page.getByRole('textbox', { name: 'URL', description: /^Enter an address that / })
    assert.equal(address.getAttribute('aria-invalid'), 'true')
    page.getByRole('textbox', { name: /^Body template/, description: / Unknown reference "nope",/ })
    assert.deepEqual(await site.app.db.selectFrom('form_webhooks').select('id').execute(), [])
  })

  await t.test('a name and a secret header are shown as text and as dots', async () => {
    const headers = 'Authorization: Bearer token-in-clear'
    const path = await added(site, { name: MARKUP, url: 'https://a.example.com', headers })
    assert.equal(await newestChange(site), `Added the webhook “${MARKUP}” to the form waitlist`)
    for (const list of ['/admin/webhooks', WEBHOOKS])
      (await site.open(list)).part('table').getByRole('link', { name: MARKUP })
    const page = await site.open(path)
    page.getByRole('heading', { name: MARKUP, level: 1 })
    assert.equal(page.valueOf('Headers'), 'Authorization: ••••')
    for (const shown of ['/admin/webhooks', WEBHOOKS, path])
      assert.ok(!(await site.read(shown)).includes('token-in-clear'), shown)
  })

  await t.test(
    'dots that stay keep the secret, and only text beside a name of the environment is one',
    async (t) => {
      const receiver = await startReceiver(t, 200)
      const { url } = receiver
      const path = await added(site, { name: 'Dots', url, headers: 'Authorization: Bearer token-in-clear' })
      assert.equal((await site.post(path, fields({ url, headers: 'Authorization: ••••' }))).status, 303)
      assert.equal(await newestChange(site), 'Changed the webhook “Office” in the form waitlist')
      await site.post(`${path}/test`)
      await receiver.waitForRequests(1)
      assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer token-in-clear')

      const beside = { headers: { 'X-Api-Key': '${TENANT}-first-in-clear' } }
      const definition = webhookDefinition.parse({ name: 'Office', url, ...beside })
      const id = Number(path.split('/').at(-1))
      const stored = await findWebhook(site.app.db, id)
      assert.ok(stored)
      await saveWebhook(
        site.app.db,
        { stored, formId: FORM_ID, definition },
        { ...site.app, now: new Date() },
      )
      assert.equal((await site.open(path)).valueOf('Headers'), 'X-Api-Key: ••••')
      const named = (headers: string) => site.post(path, fields({ url, headers }))
      assert.equal((await named('X-Api-Key: ${TENANT}-second-in-clear')).status, 303)
      assert.equal((await named('X-Api-Key: ${ANOTHER}')).status, 422)
      assert.ok(!JSON.stringify(await findWebhook(site.app.db, id)).includes('in-clear'))
    },
  )

  await t.test(
    'a paused webhook keeps its queue and refuses tests; a resumed one accepts them',
    async (t) => {
      const receiver = await startReceiver(t, 200)
      const path = await added(site, { name: 'Queue', url: receiver.url })
      assert.equal((await site.post(`${path}/pause`, { paused: 'yes' })).status, 303)
      assert.equal(await newestChange(site), 'Paused the webhook “Queue”')
      assert.match((await site.open(path)).element.textContent, /Paused since [A-Z][a-z]{2} \d/)
      const row = (await site.open('/admin/webhooks')).part('row', { name: /^Queue / })
      row.getByText(/^Paused since/)
      const refused = await site.post(`${path}/test`)
      assert.equal(refused.headers.get('location'), path)
      assert.equal((await site.post(`${path}/pause`, { paused: 'no' })).status, 303)
      assert.equal(await newestChange(site), 'Resumed the webhook “Queue”')
      const tested = await site.post(`${path}/test`)
      assert.equal(await newestChange(site), 'Sent a test to the webhook “Queue”')
      await settledDeliveries(site.app.db)
      const story = await site.open(tested.headers.get('location') ?? '')
      assert.equal(story.fact('Lead').words, 'Test with sample answers')
      assert.equal(receiver.requests.length, 1)
    },
  )

  await t.test('only the confirmed webhook is deleted', async () => {
    const [path, other] = [
      await added(site, { name: 'Short-lived', url: 'https://a.example.com' }),
      await added(site, { name: 'Kept', url: 'https://a.example.com' }),
    ]
    const question = await site.open(`${path}/removal`)
    question.getByRole('button', { name: 'Delete webhook' })
    assert.equal((await site.post(`${path}/removal`)).status, 303)
    assert.equal(await newestChange(site), 'Deleted the webhook “Short-lived” from the form waitlist')
    assert.equal((await site.fetch(path)).status, 404)
    assert.equal((await site.fetch(other)).status, 200)
  })
})

test('issue 5 item 4: an outdated form doesn’t overwrite a webhook saved in another tab', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://old.example.com' })
  const editor = await site.open(path)
  const menu = editor.whole.part('navigation', { name: 'Admin' })
  assert.equal(wordsOf(menu.getByRole('link', { current: 'page' })), 'Webhooks')
  const based_on = basedOn(editor)
  assert.equal((await site.post(path, fields({ based_on, url: 'https://new.example.com' }))).status, 303)
  const stale = fields({ based_on, url: 'https://old.example.com', name: 'Typed' })
  const refused = await site.post(path, stale)
  const shown = await readAnswer(refused, 409)
  assert.ok(wordsOf(shown.getByRole('alert')).startsWith('Someone else saved the webhook after you'))
  assert.equal(shown.valueOf('Name'), 'Typed')
  assert.equal((await site.open(path)).valueOf('URL'), 'https://new.example.com')
  assert.equal((await site.post(path, { ...stale, based_on: basedOn(shown) })).status, 303)
  assert.equal((await site.open(path)).valueOf('URL'), 'https://old.example.com')
})

test('an unreachable address is saved with a warning in the editor and the list', async (t) => {
  const site = await startAdmin(t, { environment: { WEBHOOK_ALLOW: '' } })
  for (const [url, warning] of [
    [
      'http://10.0.0.1/x',
      'Signpost can’t send to this URL: 10.0.0.1 is not a public address. Use another URL, or allow this address in WEBHOOK_ALLOW.',
    ],
    [
      'https://localhost/x',
      'Signpost can’t send to this URL: localhost is not a public address. Use another URL, or allow this address in WEBHOOK_ALLOW.',
    ],
    [
      'https://[fd00::1]/x',
      'Signpost can’t send to this URL: fd00::1 is not a public address. Use another URL, or allow this address in WEBHOOK_ALLOW.',
    ],
    [
      'http://example.com/x',
      'Signpost can’t send to this URL without https. Use https, or allow this address in WEBHOOK_ALLOW.',
    ],
    ['https://a.example.com', undefined],
  ] as const) {
    const saved = await site.post(`${WEBHOOKS}/new`, fields({ url }))
    const path = saved.headers.get('location') ?? ''
    const message = messageOf(saved)
    assert.equal(message.includes('Signpost can’t send anything to this URL'), !!warning, url)
    for (const page of [path, WEBHOOKS, '/admin/webhooks']) {
      const warnings = (await site.open(page)).queryAllByText(/^Signpost can’t send to this URL/)
      assert.deepEqual(warnings.map(wordsOf), warning ? [warning] : [], page)
    }
    await site.post(`${path}/removal`)
  }
})

test('a condition with an unknown place or service shows a warning', async (t) => {
  const site = await startAdmin(t)
  for (const [field, op, value, told] of [
    ['meta.location_slug', 'within', 'texsa', 'use “texsa”'],
    ['meta.location_slug', 'in', 'austin, texsa', 'use “texsa”'],
    ['meta.location_slug', 'within', 'texas', undefined],
    ['meta.service_slug', 'eq', 'texsa', 'use “texsa”'],
    ['role', 'eq', 'texsa', undefined],
  ] as const) {
    const rules = { match: 'all', rule_field: [field], rule_op: [op], rule_value: [value] }
    const path = await added(site, { url: 'https://a.example.com', ...rules })
    const notices = (await site.open(path))
      .queryAllByText(/no (?:place|service) has this address/)
      .map(wordsOf)
    const starts = notices.map((notice) => notice.slice(0, notice.indexOf(',')))
    assert.deepEqual(starts, told ? [`The conditions ${told}`] : [], `${field} ${op} ${value}`)
  }
})

test('a disabled webhook is marked in its editor and in submissions it didn’t receive', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://a.example.com', enabled: '' })
  const off = /^This webhook is off, so nothing is sent/
  ;(await site.open(path)).getByText(off)
  const id = await submit(site.app.db)
  const notSent = 'Not sent to “Office” because the webhook is off (turned off manually).'
  const fold = (await site.open(`/admin/inbox/${id}`)).getByText(notSent).closest('details')
  assert.equal(fold?.querySelector('summary')?.textContent?.trim(), 'Not sent to 1 webhook')
  await site.post(path, fields({ url: 'https://a.example.com', based_on: basedOn(await site.open(path)) }))
  assert.equal((await site.open(path)).queryAllByText(off).length, 0)
  assert.equal((await site.open(`/admin/inbox/${id}`)).queryAllByText(notSent).length, 0)
})

test('contract §8: redirects count as delivered once the option is on, and the attempt shows it', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 302)
  const path = await added(site, { url: receiver.url, max_retries: '0' })
  const box = 'Count redirects as delivered'
  assert.equal((await site.open(path)).valueOf(box), false)
  const [failed] = await delivered(site)
  const story = async (id = 0) => await site.open(`/admin/deliveries/${id}`)
  ;(await story(failed?.id)).getByText('redirected; to count redirects as delivered, edit the webhook')
  const ticked = fields({ url: receiver.url, accept_redirect: 'on', max_retries: '0' })
  assert.equal((await site.post(path, ticked)).status, 303)
  assert.equal((await site.open(path)).valueOf(box), true)
  const [, counted] = await delivered(site)
  assert.deepEqual([failed?.status, counted?.status], ['failed', 'delivered'])
  ;(await story(counted?.id)).getByText('redirect counted as delivered, not followed')
})

test('a post right after a webhook change uses the new webhook', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  const answers = { full_name: 'Ann', email: 'a@example.com', phone: '+1 512 555 0100', role: 'owner' }
  const post = {
    method: 'POST',
    body: JSON.stringify(answers),
    headers: { 'content-type': 'application/json' },
  }
  const send = async () =>
    assert.equal((await site.fetch('/api/forms/waitlist/submissions', post)).status, 201)
  await send()
  const path = await added(site, { url: receiver.url })
  await send()
  const rule = { match: 'all', rule_field: ['role'], rule_op: ['eq'], rule_value: ['agency'] }
  assert.equal((await site.post(path, fields({ url: receiver.url, ...rule }))).status, 303)
  await send()
  const deliveries = await settledDeliveries(site.app.db)
  assert.deepEqual(
    deliveries.map(({ status }) => status),
    ['delivered', 'skipped'],
  )
})

test('deliveries and replays of a paused webhook show that they wait for it', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  const path = await added(site, { url: receiver.url })
  const [arrived] = await delivered(site)
  await site.post(`${path}/pause`, { paused: 'yes' })
  const submissionId = await submit(site.app.db)
  const again = await site.post(`/admin/deliveries/${arrived?.id}/replay`, { mode: 'same_bytes' })
  assert.ok(messageOf(again).includes('1 delivery queued. Resume the webhook'), messageOf(again))
  const pages = ['/admin/deliveries', again.headers.get('location') ?? '', `/admin/inbox/${submissionId}`]
  const waits = /None while the webhook is paused$/
  for (const page of pages) assert.notEqual((await site.open(page)).queryAllByText(waits).length, 0, page)
  await site.post(`${path}/pause`, { paused: 'no' })
  await settledDeliveries(site.app.db)
  for (const page of pages) assert.equal((await site.open(page)).queryAllByText(waits).length, 0, page)
})

test('issue 5 item 4: unsaved rules can be added, removed, previewed, and run dry', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://a.example.com' })
  await submit(site.app.db, { answers: { email: 'a@example.com', role: 'agency' } })
  const rule = { match: 'all', rule_field: ['role'], rule_op: ['eq'], rule_value: ['owner'] }
  const edited = fields({
    url: 'https://a.example.com',
    template: '{"place": "{{meta.location_name}}"}',
    ...rule,
  })
  const ask = async (act: string) => {
    return readAnswer(await site.post(path, { ...edited, act }))
  }
  const twoRules = await ask('rule-add')
  assert.equal(twoRules.getAllByLabelText(/^Condition \d: value$/).length, 2)
  const form = twoRules.getByRole('button', { name: 'Add condition' }).closest('form')
  assert.equal(form?.getAttribute('action'), path, 'what is saved then is told at the top')
  assert.equal((await ask('rule-remove:0')).valueOf('Condition 1: value'), '')
  const preview = await ask('preview')
  preview.getByText(
    /^The webhook would not send this lead: “Role” is “agency”; this webhook is for leads where “Role” is “owner”\./,
  )
  preview.getByText('“Role” is “owner”', { exact: true })
  preview.getByText('role eq "owner"', { exact: true })
  const wouldSend = preview.part('region', { name: 'Request body preview' }).words
  assert.deepEqual(JSON.parse(wouldSend), { place: 'Austin' })
  const dryRun = await ask('dry-run')
  dryRun.getByText(/^These settings would not send the latest lead\./)
  dryRun.part('table', DRY_RUN).getByText(/^Would not be sent: “Role” is “agency”/)
  const differing = await readAnswer(await site.post(path, { ...edited, match: 'always', act: 'dry-run' }))
  const bodies = differing.part('table', DRY_RUN)
  bodies.getByText('Changed')
  const stored = bodies.part('region', { name: /^Saved request body/ }).words
  assert.equal(JSON.parse(stored).type, 'form.submitted')
  const now = bodies.part('region', { name: /^New request body/ }).words
  assert.deepEqual(JSON.parse(now), { place: 'Austin' })
  assert.equal((await findWebhook(site.app.db, 1))?.fireOn, null, 'nothing was saved')

  await site.app.db.updateTable('form_webhooks').set({ payload_template_json: '{"x":"{{gone}}"}' }).execute()
  ;(await site.open(path)).getByText(/^Uses “gone”, which the form no longer asks for\./)
  for (const list of ['/admin/webhooks', WEBHOOKS])
    (await site.open(list))
      .part('row', { name: /^Office/ })
      .getByText('Uses “gone”, which the form no longer asks for. This value is always empty.')

  await site.app.db.updateTable('form_webhooks').set({ payload_template_json: '{"x":"{{role}}"}' }).execute()
  const saysOfField = async (name: string) => {
    const field = { type: 'text', label: 'Your role', name }
    const saved = await site.post('/admin/forms/waitlist/fields/role', field)
    return messageOf(saved)
  }
  assert.ok((await saysOfField('role')).endsWith('saved.'))
  const renamed = await saysOfField('job')
  assert.ok(renamed.includes('saved. The old key “role” is now always empty'), renamed)
  assert.ok(renamed.endsWith('used by this webhook: Office.'), renamed)
})

test('issue 5 item 4: a new secret is shown once, after the password, and the former one signs for a day', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://a.example.com' })
  const first = await secretIn(await site.post(`${path}/secret`))
  const second = await secretIn(await site.post(`${path}/secret`))
  assert.ok(first && second && first !== second)
  for (const page of [path, `${path}/secret`, '/admin/webhooks', '/admin/audit'])
    assert.ok(!(await site.read(page)).includes('whsec_'), page)
  const state = async () => (await site.open(path)).part('region', { name: 'Status and actions' })
  ;(await state()).getByText(/^Requests are signed\. The previous secret is valid until/)
  await site.post(`${path}/secret`)
  ;(await state()).getByText(/^Requests are signed\. The newest of the 2 previous secrets is valid until/)
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  const asked = await site.post(`${path}/secret`)
  assert.equal(asked.headers.get('location')?.split('?')[0], '/admin/password-check')
})

test('contract §6: a new webhook gets a generated secret that the reference library verifies', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  const box = 'Generate signing secret'
  assert.equal((await site.open(`${WEBHOOKS}/new`)).valueOf(box), false)
  const mistaken = await site.post(`${WEBHOOKS}/new`, fields({ url: 'nope', generate_secret: 'on' }))
  assert.equal((await readAnswer(mistaken, 422)).valueOf(box), true)
  const secretPage = await added(site, { url: receiver.url, generate_secret: 'on' })
  assert.equal(secretPage, `${WEBHOOKS}/1/secret`)
  ;(await site.open(secretPage)).getByRole('button', { name: 'Generate secret' })
  const shown = await site.post(secretPage)
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const secret = await secretIn(shown)
  assert.ok(!(await site.read(`${WEBHOOKS}/1`)).includes('whsec_'))
  await delivered(site)
  const [request] = receiver.requests
  const headers = request?.headers as Record<string, string>
  assert.ok(new StandardWebhook(secret).verify(request?.body ?? '', headers))
})

test('issue 5 item 4: deliveries in the admin', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, { status: 400, body: `no ${MARKUP}` }, 200)
  await added(site, { name: 'Failing', url: receiver.url, max_retries: '0' })
  const rule = { match: 'all', rule_field: ['role'], rule_op: ['eq'], rule_value: ['agency'] }
  await added(site, { name: 'Skipped', url: receiver.url, ...rule })
  const [failed, skipped] = await delivered(site)
  assert.deepEqual([failed?.status, skipped?.status], ['failed', 'skipped'])
  const pathOf = (delivery: typeof failed) => `/admin/deliveries/${delivery?.id}`
  /** Its delivery, once it is over. */
  const settled = async (path: string) => {
    const id = Number(path.split('/').at(-1))
    return (await settledDeliveries(site.app.db)).find((one) => one.id === id)
  }

  await t.test('a filter hides other deliveries', async () => {
    const page = await site.open('/admin/deliveries?webhook=1&status=failed')
    page.getByRole('option', { name: 'canceled' })
    const rows = page.part('table')
    assert.deepEqual(rows.getAllByRole('rowheader').map(wordsOf), [`#${failed?.id}`])
    ;(await site.open('/admin/deliveries?webhook=999')).getByText('No deliveries match')
  })

  await t.test('a failed delivery shows the response, a skipped one the failed rule', async () => {
    const attempt = await site.open(pathOf(failed))
    attempt.getByText('HTTP 400')
    assert.equal(attempt.part('region', { name: /^Response to attempt 1/ }).words, `no ${MARKUP}`)
    const story = await site.open(pathOf(skipped))
    const [trace] = story.getAllByText('✗ Not met')
    const words = trace?.nextElementSibling as Element
    assert.equal(wordsOf(words), '“Role” is “agency”')
    assert.equal(wordsOf(words.nextElementSibling as Element), 'role eq "agency"')
  })

  await t.test('a time window is replayed with the original bytes', async () => {
    const window = { from: '2026-11-20T09:00', until: '2026-11-20T11:00', status: 'lost', mode: 'same_bytes' }
    const path = `${WEBHOOKS}/${failed?.webhook_id}/replay`
    ;(await site.open(path)).getByRole('button', { name: 'Resend deliveries' })
    assert.equal((await site.post(path, { ...window, until: '2026-11-20T08:00' })).status, 422)
    assert.equal((await site.post(path, window)).status, 303)
    const replayOf = async (id = 0) =>
      (await settledDeliveries(site.app.db)).find(({ replay_of }) => replay_of === id)
    const lost = await replayOf(failed?.id)
    assert.deepEqual([lost?.status, lost?.body], ['delivered', failed?.body])
    assert.equal((await site.post(path, { ...window, until: '', status: 'delivered' })).status, 303)
    const repeated = await replayOf(lost?.id)
    assert.deepEqual([repeated?.status, repeated?.body], ['delivered', failed?.body])
  })

  await t.test('a skipped delivery is sent after a confirmation, which its log shows', async () => {
    const before = (await settledDeliveries(site.app.db)).length
    const asked = await site.post(`${pathOf(skipped)}/replay`, { mode: 'render_again' })
    const question = asked.headers.get('location') ?? ''
    assert.equal(question, `${pathOf(skipped)}/replay?mode=render_again`)
    assert.equal((await settledDeliveries(site.app.db)).length, before, 'nothing was sent')
    const page = await site.open(question)
    page.getByRole('heading', { name: 'Send the lead to “Skipped” anyway?' })
    page.getByText(/^Not sent: “Role” is “owner”/)
    page.getByText(`POST ${receiver.url}`)
    page.getByText(
      `Lead #${skipped?.submission_id} from Austin does not match the conditions of this webhook.`,
    )
    const confirmed = page.element.querySelector<HTMLInputElement>('input[name=confirmed]')?.value ?? ''
    const again = await site.post(question, { mode: 'render_again', confirmed })
    const path = again.headers.get('location') ?? ''
    const [summary = ''] = await newestChanges(site)
    assert.ok(
      summary.startsWith(`Resent delivery ${skipped?.id} as`) && summary.includes('even though'),
      summary,
    )
    const sent = await settled(path)
    assert.deepEqual([sent?.status, sent?.replay_of], ['delivered', skipped?.id])
    const byHand = await site.open(path)
    byHand.getByRole('heading', { name: 'Resent manually even though the conditions don’t match' })
    assert.equal(byHand.getAllByText('✗ Not met').length, 1)
  })

  await t.test('only a pending delivery can be canceled', async () => {
    assert.equal((await site.post(`${pathOf(failed)}/cancellation`)).status, 303)
    ;(await site.open(pathOf(failed))).getByText('HTTP 400')
    await site.post(`${WEBHOOKS}/${failed?.webhook_id}/pause`, { paused: 'yes' })
    const waiting = await site.post(`${pathOf(failed)}/replay`, { mode: 'same_bytes' })
    const path = waiting.headers.get('location') ?? ''
    assert.equal((await site.post(`${path}/cancellation`)).status, 303)
    assert.equal((await settled(path))?.status, 'cancelled')
    assert.ok((await site.open(path)).fact('Reason').words.startsWith('Canceled manually'))
  })
})

test('the resend confirmation redirects if there is nothing to confirm', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  const rule = { match: 'all', rule_field: ['role'], rule_op: ['eq'], rule_value: ['agency'] }
  const path = await added(site, { url: receiver.url, ...rule })
  const [skipped] = await delivered(site)
  const ask = async (mode: string) => {
    const answer = await site.fetch(`/admin/deliveries/${skipped?.id}/replay?mode=${mode}`)
    return [answer.status, answer.headers.get('location')]
  }
  const back = [303, `/admin/deliveries/${skipped?.id}`]
  assert.deepEqual(await ask('same_bytes'), back, 'it was never sent')
  assert.deepEqual(await ask('render_again'), [200, null])
  assert.equal((await site.post(path, fields({ url: receiver.url }))).status, 303)
  assert.deepEqual(await ask('render_again'), back, 'the conditions match now')
  assert.equal((await site.fetch('/admin/deliveries/999/replay')).status, 404)
})

test('issue 5 item 4: unknown pages return 404', async (t) => {
  const site = await startAdmin(t)
  const paths = ['/admin/forms/nope/webhooks', '/admin/forms/nope/webhooks/new', '/admin/deliveries/999']
  for (const path of [...paths, `${WEBHOOKS}/999`, `${WEBHOOKS}/999/secret`, `${WEBHOOKS}/999/replay`])
    assert.equal((await site.fetch(path)).status, 404, path)
})
