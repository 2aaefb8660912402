// biome-ignore-all lint/suspicious/noTemplateCurlyInString: content files name values of the environment like this
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { findForm } from '#src/forms/form-store.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { addWebhook, changeWebhook } from '#src/webhooks/definition/edit-webhook.ts'
import { type WebhookDefinition, webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { listWebhooks, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { rotateSigningSecret } from '#src/webhooks/secrets/rotate-signing-secret.ts'
import { openHeaders } from '#src/webhooks/secrets/sealed-headers.ts'
import { temporaryFolder } from '../../support/database.ts'
import { assertTells } from '../../support/wording.ts'
import { allRows, NOW, openWorkspace, secretBox, type Workspace } from './workspace.ts'

const QUOTE = 'forms/quote.yaml'
const TYPED = { Authorization: 'Bearer typed-in-clear', 'X-Team': 'sales' }
const FORM = 'name: Quote\nfields:\n  - { name: email, type: email, label: E-mail }\n'
const KEPT = `${FORM}webhooks:
  - name: Office
    url: https://hooks.example/quotes
    headers:
      X-Team: sales
      Authorization: ••••
`

/** A form from a file, with a webhook that someone added in the admin. */
async function haveTypedHeaders(t: TestContext) {
  const workspace = await openWorkspace(t, { [QUOTE]: FORM })
  await workspace.synced()
  const url = 'https://hooks.example/quotes'
  const definition = webhookDefinition.parse({ name: 'Office', url, headers: TYPED })
  const form = await findForm(workspace.db, 'quote')
  await addWebhook(workspace.db, form?.id ?? 0, definition, { secretBox, now: NOW })
  return workspace
}

async function webhookOf({ db }: Workspace) {
  const form = await findForm(db, 'quote')
  const [webhook] = await listWebhooks(db, form?.id ?? 0)
  assert.ok(webhook)
  return { webhook, headers: openHeaders(webhook.headers, { ...webhook, secretBox }) }
}

async function editInAdmin(workspace: Workspace, change: Partial<WebhookDefinition>) {
  const { webhook } = await webhookOf(workspace)
  const definition = { ...toWebhookDefinition(webhook), ...change }
  await changeWebhook(workspace.db, webhook.id, { definition }, { secretBox, now: NOW })
}

async function exported(t: TestContext, { db, pictureFiles }: Workspace, box = secretBox) {
  const out = join(temporaryFolder(t), 'export')
  await exportContent(db, { out, environment: {}, secretBox: box, pictureFiles })
  return { contentDir: out, text: readFileSync(join(out, QUOTE), 'utf8') }
}

test('a secret header typed in the admin is exported as dots, other headers unchanged', async (t) => {
  const { text } = await exported(t, await haveTypedHeaders(t))
  assert.doesNotMatch(text, /in-clear/)
  assert.match(text, /Authorization: ••••\n +X-Team: sales\n/)
})

test('export, sync, export keeps the header’s value and gives the same files', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const { content_files: _, ...before } = await allRows(workspace)
  const first = await exported(t, workspace)
  for (const _again of [1, 2])
    assert.deepEqual((await workspace.synced({ contentDir: first.contentDir })).changed, [])
  const { content_files: bases, ...after } = await allRows(workspace)
  assert.deepEqual(after, before)
  assert.doesNotMatch(JSON.stringify(bases), /in-clear/)
  assert.equal((await exported(t, workspace)).text, first.text)
})

test('dots keep the header of a webhook renamed or changed in its file, in any case', async (t) => {
  for (const change of [
    (text: string) => text.replace('name: Office', 'name: Austin office'),
    (text: string) => text.replace('hooks.example/quotes', 'hooks.example/offers'),
    (text: string) => text.replace('Authorization', 'authorization'),
  ]) {
    const workspace = await haveTypedHeaders(t)
    const { webhook } = await webhookOf(workspace)
    const { contentDir, text } = await exported(t, workspace)
    await workspace.synced({ contentDir })
    workspace.write(QUOTE, change(text))
    assert.deepEqual((await workspace.synced()).changed, [QUOTE])
    const now = await webhookOf(workspace)
    assert.equal(now.webhook.id, webhook.id)
    assert.equal(new Headers(now.headers ?? {}).get('authorization'), TYPED.Authorization)
    assert.doesNotMatch(JSON.stringify(now.webhook), /in-clear/)
  }
})

test('a header replaced in the admin doesn’t conflict with dots in the file', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const { contentDir } = await exported(t, workspace)
  await workspace.synced({ contentDir })
  await editInAdmin(workspace, { headers: { ...TYPED, Authorization: 'Bearer second-in-clear' } })
  assert.deepEqual((await workspace.synced({ contentDir })).kept, [])
  assert.equal((await webhookOf(workspace)).headers?.Authorization, 'Bearer second-in-clear')
})

test('a literal value replaced in the admin is exported as dots', async (t) => {
  const literal = KEPT.replace('••••', 'Bearer first-in-clear')
  const workspace = await openWorkspace(t, { [QUOTE]: literal })
  await workspace.synced()
  await editInAdmin(workspace, { headers: TYPED })
  const { text } = await exported(t, workspace)
  assert.doesNotMatch(text, /in-clear/)
  assert.match(text, /Authorization: ••••/)
})

test('an export without the secret key writes dots and keeps the encrypted value', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const other = createSecretBox(new Uint8Array(32).fill(8))
  const { contentDir, text } = await exported(t, workspace, other)
  assert.match(text, /Authorization: ••••/)
  workspace.write(QUOTE, text.replace('sales', 'support'))
  await workspace.synced({ contentDir, secretBox: other })
  assert.deepEqual((await workspace.synced({ secretBox: other })).changed, [QUOTE])
  assert.deepEqual((await webhookOf(workspace)).headers, { ...TYPED, 'X-Team': 'support' })
})

test('an automatically disabled webhook stays off when its form changes and its header is kept', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const off = { enabled: 0 as const, disabled_at: NOW.toISOString(), disabled_code: 'gone' }
  await workspace.db.updateTable('form_webhooks').set(off).execute()
  const { contentDir, text } = await exported(t, workspace)
  await workspace.synced({ contentDir })
  workspace.write(QUOTE, text.replace('name: Quote', 'name: Offer'))
  assert.deepEqual((await workspace.synced()).changed, [QUOTE])
  assert.deepEqual((await webhookOf(workspace)).webhook.disabledReason, { code: 'gone' })
})

test('dots without a stored value are refused with file, line, and fix, and nothing is synced', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: KEPT })
  const before = await allRows(workspace)
  const mistakes = [
    {
      path: QUOTE,
      line: 9,
      fault: {
        code: 'header_not_stored',
        params: { webhook: 'Office', header: 'Authorization', dots: '••••' },
      },
    },
  ]
  assert.deepEqual(await workspace.sync(), { kind: 'mistakes', mistakes })
  assert.deepEqual(await allRows(workspace), before)
  workspace.write(QUOTE, KEPT.replace('••••', 'Bearer ${HOOK_TOKEN}'))
  await workspace.synced({ environment: { HOOK_TOKEN: 'x' } })
})

test('a stored secret isn’t sent to a new URL in the file: dots and an omitted secret are refused', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const { webhook } = await webhookOf(workspace)
  await rotateSigningSecret(workspace.db, webhook.id, { secretBox, now: NOW })
  const { contentDir, text } = await exported(t, workspace)
  await workspace.synced({ contentDir })
  const moved = text.replace('hooks.example', 'other.example')
  workspace.write(QUOTE, moved)
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes', result.kind)
  const origin = 'https://hooks.example'
  assert.deepEqual(
    result.mistakes.map(({ fault }) => fault),
    [
      { code: 'secret_of_other_origin', params: { webhook: 'Office', origin } },
      { code: 'header_of_other_origin', params: { webhook: 'Office', header: 'Authorization', origin } },
    ],
  )
  const named = moved
    .replace('••••', 'Bearer ${TOKEN}')
    .replace(/(\n +)(url: )/, '$1signing_secret: null$1$2')
  workspace.write(QUOTE, named)
  assert.deepEqual((await workspace.synced({ environment: { TOKEN: 'x' } })).changed, [QUOTE])
  const now = await webhookOf(workspace)
  assert.deepEqual(now.headers, { ...TYPED, Authorization: 'Bearer ${TOKEN}' })
  assert.deepEqual([now.webhook.id, now.webhook.signingSecret], [webhook.id, null])
})

test('dots for another header or webhook have no stored value', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const { contentDir, text } = await exported(t, workspace)
  await workspace.synced({ contentDir })
  const second = text.slice(text.indexOf('  - name: Office')).replace('Office', 'Second')
  for (const wrong of [text.replace('Authorization', 'X-Api-Key'), text + second]) {
    workspace.write(QUOTE, wrong)
    const result = await workspace.sync()
    assert.ok(result.kind === 'mistakes', result.kind)
    assertTells(result.mistakes[0], /but webhook "[^"]+" has none/)
  }
})

test('dots in an unchanged file don’t block a sync after the header was removed in the admin', async (t) => {
  const workspace = await haveTypedHeaders(t)
  const { contentDir } = await exported(t, workspace)
  await workspace.synced({ contentDir })
  await editInAdmin(workspace, { headers: null })
  assert.deepEqual((await workspace.synced({ contentDir })).kept, [QUOTE])
  assert.equal((await webhookOf(workspace)).headers, null)
})

test('dots aren’t a signing secret; omitting it keeps the stored one', async (t) => {
  const workspace = await openWorkspace(t, {
    [QUOTE]: KEPT.replace('headers:', 'signing_secret: ••••\n    headers:'),
  })
  const result = await workspace.sync()
  const [mistake] = result.kind === 'mistakes' ? result.mistakes : []
  assert.equal(mistake?.line, 7)
  assertTells(mistake, /signing_secret.*leave it out to keep the stored one/)
})
