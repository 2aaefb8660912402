// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { saveWebhooks } from '../../../src/webhooks/save-webhook-store.ts'
import { webhookDefinition } from '../../../src/webhooks/webhook-definition.ts'
import { findWebhook } from '../../../src/webhooks/webhook-store.ts'
import { type AdminSite, basedOn, startAdmin } from '../../support/admin.ts'
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

test('issue 5 item 4: a webhook is added, mistakes are shown where they are, changed, paused, tested and deleted', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  assert.match(await site.read('/admin/webhooks'), /No form has a webhook yet/)
  assert.match(await site.read(WEBHOOKS), /This form has no webhook yet/)
  const mistaken = await site.post(`${WEBHOOKS}/new`, fields({ url: 'nope', template: '"{{nope}}"' }))
  assert.equal(mistaken.status, 422)
  const html = await mistaken.text()
  assert.match(html, /Expected an address that starts with https/)
  assert.match(html, /Unknown reference &quot;nope&quot;/)

  const path = await added(site, {
    name: MARKUP,
    url: receiver.url,
    headers: 'Authorization: Bearer token-in-clear',
  })
  for (const page of ['/admin/webhooks', WEBHOOKS, path]) {
    const shown = await site.read(page)
    assert.ok(!shown.includes('token-in-clear') && !shown.includes(MARKUP), page)
    assert.ok(shown.includes('&quot;&gt;&lt;img src=x'), page)
  }
  const [delivery] = await delivered(site)
  assert.equal(delivery?.status, 'delivered')
  assert.equal(receiver.requests[0]?.headers.authorization, 'Bearer token-in-clear')

  const kept = fields({ name: 'Office', url: receiver.url, headers: 'Authorization: ••••' })
  assert.equal((await site.post(path, kept)).status, 303)
  assert.equal((await site.post(`${path}/pause`, { paused: 'yes' })).status, 303)
  assert.match(await site.read(path), /Paused since/)
  assert.match(await site.read('/admin/webhooks'), /Keeps its queue since/)
  const refused = await site.post(`${path}/test`)
  assert.equal(refused.headers.get('location'), path)
  assert.equal((await site.post(`${path}/pause`, { paused: 'no' })).status, 303)
  const tested = await site.post(`${path}/test`)
  await receiver.waitForRequests(2)
  assert.equal(receiver.requests[1]?.headers.authorization, 'Bearer token-in-clear')
  await settledDeliveries(site.app.db)
  assert.match(await site.read(tested.headers.get('location') ?? ''), /A test with made-up answers/)

  const beside = { headers: { 'X-Api-Key': '${TENANT}-first-in-clear' } }
  const definition = webhookDefinition.parse({ name: 'Office', url: receiver.url, ...beside })
  await saveWebhooks(site.app.db, FORM_ID, [definition], site.app)
  assert.match(await site.read(path), /X-Api-Key: ••••/)
  const named = (headers: string) => site.post(path, fields({ url: receiver.url, headers }))
  assert.equal((await named('X-Api-Key: ${TENANT}-second-in-clear')).status, 303)
  assert.equal((await named('X-Api-Key: ${ANOTHER}')).status, 422)
  assert.doesNotMatch(JSON.stringify(await findWebhook(site.app.db, 1)), /in-clear/)

  await site.read(`${path}/removal`)
  assert.equal((await site.post(`${path}/removal`)).status, 303)
  assert.equal((await site.fetch(path)).status, 404)
  const log = await site.read('/admin/audit')
  for (const words of [
    'Added the webhook',
    'Changed the webhook',
    'Paused',
    'Resumed',
    'Sent a test',
    'Deleted',
  ])
    assert.ok(log.includes(words), words)
})

test('issue 5 item 4: a webhook that was saved in another tab is not put back by an older form', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://old.example.com' })
  const editor = await site.read(path)
  assert.match(editor, /href="\/admin\/webhooks" aria-current="page"/)
  assert.doesNotMatch(editor, /href="\/admin\/forms" aria-current/)
  const based_on = basedOn(editor)
  assert.equal((await site.post(path, fields({ based_on, url: 'https://new.example.com' }))).status, 303)
  const stale = fields({ based_on, url: 'https://old.example.com', name: 'Typed' })
  const refused = await site.post(path, stale)
  const html = await refused.text()
  assert.equal(refused.status, 409)
  assert.match(html, /Somebody else saved this webhook after you had opened it/)
  assert.match(html, /value="Typed"/)
  assert.match(await site.read(path), /value="https:\/\/new\.example\.com"/)
  assert.equal((await site.post(path, { ...stale, based_on: basedOn(html) })).status, 303)
  assert.match(await site.read(path), /value="https:\/\/old\.example\.com"/)
})

test('an address that nothing can be sent to is saved with a warning, in its editor and in the list', async (t) => {
  const site = await startAdmin(t, { environment: { WEBHOOK_ALLOW: '' } })
  for (const [url, warning] of [
    ['http://10.0.0.1/x', 'Nothing can be sent there: 10.0.0.1 is not a public address, see WEBHOOK_ALLOW.'],
    ['https://localhost/x', 'Nothing can be sent there: localhost is not a public address, see WEBHOOK'],
    ['https://[fd00::1]/x', 'Nothing can be sent there: fd00::1 is not a public address, see WEBHOOK_ALLOW.'],
    ['http://example.com/x', 'Nothing can be sent there: plain http is refused. Use https, or see WEBHOOK'],
    ['https://a.example.com', undefined],
  ] as const) {
    const saved = await site.post(`${WEBHOOKS}/new`, fields({ url }))
    const path = saved.headers.get('location') ?? ''
    const message = decodeURIComponent(saved.headers.get('set-cookie') ?? '')
    assert.equal(message.includes('But nothing can be sent to its address'), !!warning, url)
    for (const page of [path, WEBHOOKS, '/admin/webhooks'])
      assert.equal((await site.read(page)).includes(warning ?? 'Nothing can be sent'), !!warning, page)
    await site.post(`${path}/removal`)
  }
})

test('a place that does not exist in a condition is told, as nothing would ever be sent', async (t) => {
  const site = await startAdmin(t)
  for (const [field, op, value, told] of [
    ['meta.location_slug', 'within', 'texsa', 'names “texsa”'],
    ['meta.location_slug', 'in', 'austin, texsa', 'names “texsa”'],
    ['meta.location_slug', 'within', 'texas', undefined],
    ['role', 'eq', 'texsa', undefined],
  ] as const) {
    const rules = { match: 'all', rule_field: [field], rule_op: [op], rule_value: [value] }
    const path = await added(site, { url: 'https://a.example.com', ...rules })
    const html = await site.read(path)
    assert.equal(
      html.includes(told ?? 'no place has that slug'),
      told !== undefined,
      `${field} ${op} ${value}`,
    )
  }
})

test('a webhook that is off says so in its editor, and in each submission that it got nothing of', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://a.example.com', enabled: '' })
  assert.match(await site.read(path), /This webhook is off: nothing is sent/)
  const id = await submit(site.app.db)
  const notSent = /Not sent to “Office”: this webhook is off \(switched off by a person\)/
  assert.match(await site.read(`/admin/inbox/${id}`), notSent)
  await site.post(path, fields({ url: 'https://a.example.com', based_on: basedOn(await site.read(path)) }))
  assert.doesNotMatch(await site.read(path), /This webhook is off/)
  assert.doesNotMatch(await site.read(`/admin/inbox/${id}`), notSent)
})

test('contract §8: redirects count as delivered once the box is ticked, and the attempt says so', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 302)
  const path = await added(site, { url: receiver.url, max_retries: '0' })
  const box = /<input(?=[^>]*name="accept_redirect")[^>]*>/
  assert.doesNotMatch(box.exec(await site.read(path))?.[0] ?? 'checked', /checked/)
  const [failed] = await delivered(site)
  assert.match(await site.read(`/admin/deliveries/${failed?.id}`), /the webhook can count them as delivered/)
  const ticked = fields({ url: receiver.url, accept_redirect: 'on', max_retries: '0' })
  assert.equal((await site.post(path, ticked)).status, 303)
  assert.match(box.exec(await site.read(path))?.[0] ?? '', /checked/)
  const [, counted] = await delivered(site)
  assert.deepEqual([failed?.status, counted?.status], ['failed', 'delivered'])
  assert.match(
    await site.read(`/admin/deliveries/${counted?.id}`),
    /redirect counted as delivered, not followed/,
  )
})

test('what is sent in the moment after a webhook was added or changed is judged by it', async (t) => {
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

test('a delivery of a paused webhook says that it waits for that, wherever it is told, and so does a replay', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  const path = await added(site, { url: receiver.url })
  const [arrived] = await delivered(site)
  await site.post(`${path}/pause`, { paused: 'yes' })
  const submissionId = await submit(site.app.db)
  const again = await site.post(`/admin/deliveries/${arrived?.id}/replay`, { mode: 'same_bytes' })
  assert.match(
    decodeURIComponent(again.headers.get('set-cookie') ?? ''),
    /One delivery waits until the webhook/,
  )
  const pages = ['/admin/deliveries', again.headers.get('location') ?? '', `/admin/inbox/${submissionId}`]
  for (const page of pages) assert.match(await site.read(page), /None while the webhook is paused/, page)
  await site.post(`${path}/pause`, { paused: 'no' })
  await settledDeliveries(site.app.db)
  for (const page of pages) assert.doesNotMatch(await site.read(page), /while the webhook is paused/, page)
})

test('issue 5 item 4: rules are added and removed, previewed and run dry without being saved', async (t) => {
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
    const response = await site.post(path, { ...edited, act })
    assert.equal(response.status, 200)
    return response.text()
  }
  assert.equal((await ask('rule-add')).match(/name="rule_field\[\]"/g)?.length, 2)
  assert.ok((await ask('rule-add')).includes(` action="${path}"`), 'what is saved then is told at the top')
  assert.equal((await ask('rule-remove:0')).match(/value="owner"/g), null)
  const preview = await ask('preview')
  assert.match(
    preview,
    /It does not fire for this submission: role eq &quot;owner&quot;, but it was &quot;agency&quot;/,
  )
  assert.match(preview, /Austin/)
  const dryRun = await ask('dry-run')
  assert.match(dryRun, /Of the latest submission it would fire for\s+<strong>0<\/strong>/)
  assert.match(dryRun, /does not: role eq/)
  const differing = await (await site.post(path, { ...edited, match: 'always', act: 'dry-run' })).text()
  assert.match(
    differing,
    /<summary[^>]*>differs[\s\S]*form\.submitted[\s\S]*&quot;place&quot;: &quot;Austin&quot;/,
  )
  const stored = await site.app.db
    .selectFrom('form_webhooks')
    .select('fire_on_json')
    .executeTakeFirstOrThrow()
  assert.equal(stored.fire_on_json, null)

  await site.app.db.updateTable('form_webhooks').set({ payload_template_json: '{"x":"{{gone}}"}' }).execute()
  assert.match(await site.read(path), /The form no longer asks for “gone”: always empty/)
  for (const list of ['/admin/webhooks', WEBHOOKS])
    assert.match(await site.read(list), /Refers to “gone”, which the form does not ask for any more/, list)

  await site.app.db.updateTable('form_webhooks').set({ payload_template_json: '{"x":"{{role}}"}' }).execute()
  const saysOfField = async (name: string) => {
    const field = { type: 'text', label: 'Your role', name }
    const saved = await site.post('/admin/forms/waitlist/fields/role', field)
    return decodeURIComponent(saved.headers.get('set-cookie') ?? '')
  }
  assert.match(await saysOfField('role'), /is saved\."/)
  assert.match(
    await saysOfField('job'),
    /is saved\. This webhook still names it \\"role\\".*empty: Office\."/,
  )
})

test('issue 5 item 4: a secret is shown once, after the password, and the one before signs for a day', async (t) => {
  const site = await startAdmin(t)
  const path = await added(site, { url: 'https://a.example.com' })
  const secretIn = async (response: Response) => /whsec_[A-Za-z0-9+/=]+/.exec(await response.text())?.[0]
  const first = await secretIn(await site.post(`${path}/secret`))
  const second = await secretIn(await site.post(`${path}/secret`))
  assert.ok(first && second && first !== second)
  for (const page of [path, `${path}/secret`, '/admin/webhooks', '/admin/audit'])
    assert.doesNotMatch(await site.read(page), /whsec_/)
  assert.match(await site.read(path), /The secret before signs too until/)
  await site.post(`${path}/secret`)
  assert.match(await site.read(path), /The 2 secrets before sign too, the last of them until/)
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  const asked = await site.post(`${path}/secret`)
  assert.match(asked.headers.get('location') ?? '', /^\/admin\/password-check/)
})

test('contract §6: a webhook is added with a generated secret that the reference library verifies', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, 200)
  assert.match(await site.read(`${WEBHOOKS}/new`), /name="generate_secret"/)
  const mistaken = await site.post(`${WEBHOOKS}/new`, fields({ url: 'nope', generate_secret: 'on' }))
  assert.match(await mistaken.text(), /<input(?=[^>]*name="generate_secret")[^>]*checked/)
  const secretPage = await added(site, { url: receiver.url, generate_secret: 'on' })
  assert.equal(secretPage, `${WEBHOOKS}/1/secret`)
  assert.match(await site.read(secretPage), /<button[^>]*>Generate a secret<\/button>/)
  const shown = await site.post(secretPage)
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(await shown.text()) ?? []
  assert.doesNotMatch(await site.read(`${WEBHOOKS}/1`), /whsec_/)
  await delivered(site)
  const [request] = receiver.requests
  const headers = request?.headers as Record<string, string>
  assert.ok(new StandardWebhook(secret).verify(request?.body ?? '', headers))
})

test('issue 5 item 4: deliveries are filtered, told, sent again one by one or by a window, and cancelled', async (t) => {
  const site = await startAdmin(t)
  const receiver = await startReceiver(t, { status: 400, body: `no ${MARKUP}` }, 200)
  await added(site, { name: 'Failing', url: receiver.url, max_retries: '0' })
  const rule = { match: 'all', rule_field: ['role'], rule_op: ['eq'], rule_value: ['agency'] }
  await added(site, { name: 'Skipped', url: receiver.url, ...rule })
  const [failed, skipped] = await delivered(site)
  assert.deepEqual([failed?.status, skipped?.status], ['failed', 'skipped'])

  const list = await site.read('/admin/deliveries?status=failed')
  assert.ok(
    list.includes(`/admin/deliveries/${failed?.id}"`) && !list.includes(`/admin/deliveries/${skipped?.id}"`),
  )
  assert.match(await site.read('/admin/deliveries?webhook=999'), /Nothing fits the filter/)
  const story = await site.read(`/admin/deliveries/${failed?.id}`)
  assert.match(story, /HTTP 400/)
  assert.ok(story.includes('&gt;&lt;img') && !story.includes(MARKUP))
  assert.match(
    await site.read(`/admin/deliveries/${skipped?.id}`),
    /does not hold[\s\S]*role eq &quot;agency&quot;/,
  )

  const window = { from: '2026-11-20T09:00', until: '2026-11-20T11:00', status: 'lost', mode: 'same_bytes' }
  const replayPath = `${WEBHOOKS}/${failed?.webhook_id}/replay`
  await site.read(replayPath)
  assert.equal((await site.post(replayPath, { ...window, until: '2026-11-20T08:00' })).status, 422)
  assert.equal((await site.post(replayPath, window)).status, 303)
  await receiver.waitForRequests(2)
  assert.equal(receiver.requests[1]?.body, receiver.requests[0]?.body)

  const asked = await site.post(`/admin/deliveries/${skipped?.id}/replay`, { mode: 'render_again' })
  const question = asked.headers.get('location') ?? ''
  assert.equal(question, `/admin/deliveries/${skipped?.id}/replay?mode=render_again`)
  assert.equal((await settledDeliveries(site.app.db)).length, 3, 'nothing was sent')
  const html = await site.read(question)
  for (const words of [
    'Send to “Skipped” anyway?',
    'It was skipped: role eq',
    receiver.url,
    'from Austin does not',
  ])
    assert.ok(html.includes(words), words)
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const again = await site.post(question, { mode: 'render_again', confirmed })
  assert.match(again.headers.get('location') ?? '', /^\/admin\/deliveries\/\d+$/)
  const byHand = await site.read(again.headers.get('location') ?? '')
  assert.match(byHand, /Sent by hand although the conditions do not match[\s\S]*does not hold/)
  const summaries = (await site.app.db.selectFrom('audit_log').select('summary').execute()).map(
    (row) => row.summary,
  )
  assert.ok(
    summaries.some(
      (text) => text.includes(`Sent delivery ${skipped?.id} again`) && text.includes('although'),
    ),
  )
  const settled = await settledDeliveries(site.app.db)
  assert.deepEqual(
    settled.slice(2).map(({ status }) => status),
    ['delivered', 'delivered'],
  )
  assert.equal((await site.post(replayPath, { ...window, until: '', status: 'delivered' })).status, 303)
  await receiver.waitForRequests(4)
  const [, , arrived, , repeated] = await settledDeliveries(site.app.db)
  assert.deepEqual([arrived?.status, repeated?.replay_of], ['delivered', arrived?.id])

  const none = await site.post(`/admin/deliveries/${failed?.id}/cancellation`)
  assert.equal(none.status, 303)
  assert.match(await site.read(`/admin/deliveries/${failed?.id}`), /HTTP 400/)
  await site.app.db.updateTable('form_webhooks').set({ paused_at: '2026-11-20T12:00:00.000Z' }).execute()
  const waiting = await site.post(`/admin/deliveries/${failed?.id}/replay`, { mode: 'same_bytes' })
  const path = waiting.headers.get('location') ?? ''
  assert.equal((await site.post(`${path}/cancellation`)).status, 303)
  assert.match(await site.read(path), /Cancelled by hand/)
})

test('the question before a resend leads back where there is nothing to ask', async (t) => {
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

test('issue 5 item 4: what is not there is answered with 404', async (t) => {
  const site = await startAdmin(t)
  const paths = ['/admin/forms/nope/webhooks', '/admin/forms/nope/webhooks/new', '/admin/deliveries/999']
  for (const path of [...paths, `${WEBHOOKS}/999`, `${WEBHOOKS}/999/secret`, `${WEBHOOKS}/999/replay`])
    assert.equal((await site.fetch(path)).status, 404, path)
})
