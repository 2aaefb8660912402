// biome-ignore-all lint/suspicious/noTemplateCurlyInString: content files name values of the environment like this
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { findForm } from '#src/forms/form-store.ts'
import { saveWebhooks } from '#src/webhooks/definition/save-webhook-store.ts'
import { listWebhooks, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { signingSecretPlace } from '#src/webhooks/secrets/signing-secrets.ts'
import { temporaryFolder } from '../../support/database.ts'
import { openWorkspace, secretBox, type Workspace } from './workspace.ts'

const QUOTE = 'forms/quote.yaml'
const ENVIRONMENT = {
  HOOK_HOST: 'hooks.example',
  HOOK_TOKEN: 'token-1-in-clear',
  HOOK_SECRET: 'secret-1-in-clear',
}

function aForm(secret: string | undefined, url = 'https://${HOOK_HOST}/quotes') {
  return `name: Quote
fields:
  - { name: email, type: email, label: E-mail }
webhooks:
  - name: Office
    url: ${url}
    headers: { Authorization: 'Bearer \${HOOK_TOKEN}' }
${secret === undefined ? '' : `    signing_secret: ${secret}\n`}`
}

async function webhookOf({ db }: Workspace) {
  const form = await findForm(db, 'quote')
  const [webhook] = await listWebhooks(db, form?.id ?? 0)
  assert.ok(form && webhook)
  return {
    form,
    webhook,
    secret: webhook.signingSecret && secretBox.open(webhook.signingSecret, signingSecretPlace(webhook)),
  }
}

async function exported(
  t: Parameters<typeof temporaryFolder>[0],
  { db, pictureFiles }: Workspace,
  environment = {},
) {
  const out = join(temporaryFolder(t), 'export')
  await exportContent(db, { out, environment, secretBox, pictureFiles })
  return readFileSync(join(out, QUOTE), 'utf8')
}

test('contract §3 the secret is encrypted in the row; URL and headers keep ${NAME} without its value', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await workspace.synced({ environment: ENVIRONMENT })
  const { webhook, secret } = await webhookOf(workspace)
  assert.equal(webhook.url, 'https://${HOOK_HOST}/quotes')
  assert.deepEqual(webhook.headers, { Authorization: 'Bearer ${HOOK_TOKEN}' })
  assert.equal(secret, 'secret-1-in-clear')
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
})

for (const secret of ['${HOOK_SECRET}', 'secret-1-in-clear']) {
  test(`content_files contains no secret when the file has ${secret}`, async (t) => {
    const workspace = await openWorkspace(t, { [QUOTE]: aForm(secret) })
    await workspace.synced({ environment: ENVIRONMENT })
    const rows = await workspace.db.selectFrom('content_files').selectAll().execute()
    assert.equal(rows.length, 1)
    assert.doesNotMatch(JSON.stringify(rows), /in-clear/)
    assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
  })

  test(`an export contains no secret when the file has ${secret}`, async (t) => {
    const workspace = await openWorkspace(t, { [QUOTE]: aForm(secret) })
    await workspace.synced({ environment: ENVIRONMENT })
    for (const environment of [ENVIRONMENT, {}, { HOOK_TOKEN: 'another' }]) {
      const text = await exported(t, workspace, environment)
      assert.doesNotMatch(text, /in-clear/)
      assert.match(text, /url: https:\/\/\$\{HOOK_HOST\}\/quotes/)
      assert.match(text, /Bearer \$\{HOOK_TOKEN\}/)
    }
  })
}

test('an export keeps the secret’s variable and omits a literal secret', async (t) => {
  const named = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await named.synced({ environment: ENVIRONMENT })
  assert.match(await exported(t, named), /signing_secret: \$\{HOOK_SECRET\}/)
  const literal = await openWorkspace(t, { [QUOTE]: aForm('literal') })
  await literal.synced({ environment: ENVIRONMENT })
  assert.doesNotMatch(await exported(t, literal), /signing_secret/)
})

test('an export gives each unnamed webhook its own secret and headers', async (t) => {
  const webhook = (key: string) =>
    `  - { url: 'https://\${${key}}.example', headers: { Authorization: 'Bearer \${${key}}' }, signing_secret: '\${${key}}' }\n`
  const [head] = aForm(undefined).split('  - name: Office')
  const workspace = await openWorkspace(t, { [QUOTE]: `${head}${webhook('A')}${webhook('B')}` })
  await workspace.synced({ environment: { A: 'one', B: 'two' } })
  for (const key of ['A', 'B'])
    assert.equal((await exported(t, workspace)).split(`\${${key}}`).length - 1, 3, key)
})

test('a secret changed in the environment is synced, and the webhook keeps its ID', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await workspace.synced({ environment: ENVIRONMENT })
  const { webhook } = await webhookOf(workspace)
  const environment = { ...ENVIRONMENT, HOOK_SECRET: 'secret-2-in-clear' }
  assert.deepEqual((await workspace.synced({ environment })).changed, [QUOTE])
  const now = await webhookOf(workspace)
  assert.deepEqual([now.webhook.id, now.secret], [webhook.id, 'secret-2-in-clear'])
})

test('a secret omitted from a file stays stored; null removes it', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await workspace.synced({ environment: ENVIRONMENT })
  workspace.write(QUOTE, aForm(undefined))
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
  assert.equal((await webhookOf(workspace)).secret, 'secret-1-in-clear')
  workspace.write(QUOTE, aForm('null'))
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [QUOTE])
  assert.equal((await webhookOf(workspace)).secret, null)
})

test('a secret changed in the admin counts as a change of the row', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await workspace.synced({ environment: ENVIRONMENT })
  const { form, webhook } = await webhookOf(workspace)
  const edited = { ...toWebhookDefinition(webhook), signing_secret: 'from the admin, in-clear' }
  await saveWebhooks(workspace.db, form.id, [edited], { secretBox })
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).kept, [QUOTE])
  const text = await exported(t, workspace, ENVIRONMENT)
  assert.doesNotMatch(text, /in-clear|signing_secret/)
  assert.match(text, /Bearer \$\{HOOK_TOKEN\}/)
})

test('a URL changed in the admin is exported without the former origin’s secret', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: aForm('${HOOK_SECRET}') })
  await workspace.synced({ environment: ENVIRONMENT })
  const { form, webhook } = await webhookOf(workspace)
  const edited = { ...toWebhookDefinition(webhook), url: 'https://other.example/' }
  await saveWebhooks(workspace.db, form.id, [edited], { secretBox })
  const text = await exported(t, workspace, ENVIRONMENT)
  assert.match(text, /url: https:\/\/other\.example\//)
  assert.doesNotMatch(text, /signing_secret/)
})

test('a literal secret in a header is stored encrypted, and an export repeats the file', async (t) => {
  const form = aForm(undefined).replace('Bearer ${HOOK_TOKEN}', 'Bearer header-in-clear')
  const workspace = await openWorkspace(t, { [QUOTE]: form })
  await workspace.synced({ environment: ENVIRONMENT })
  const bases = await workspace.db.selectFrom('content_files').selectAll().execute()
  assert.doesNotMatch(JSON.stringify([bases, (await webhookOf(workspace)).webhook]), /in-clear/)
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
  const text = await exported(t, workspace, ENVIRONMENT)
  assert.match(text, /Authorization: Bearer header-in-clear/)
  workspace.write(QUOTE, text)
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
  workspace.write(QUOTE, text.replace('header-in-clear', 'header-2-in-clear'))
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [QUOTE])
})

test('a secret typed beside a variable is stored encrypted, and an export repeats only the file', async (t) => {
  const form = aForm('${HOOK_SECRET}-typed-in-clear').replace('${HOOK_TOKEN}', '${HOOK_TOKEN}-typed-in-clear')
  const workspace = await openWorkspace(t, { [QUOTE]: form })
  await workspace.synced({ environment: ENVIRONMENT })
  const bases = await workspace.db.selectFrom('content_files').selectAll().execute()
  assert.doesNotMatch(JSON.stringify([bases, (await webhookOf(workspace)).webhook]), /in-clear/)
  assert.deepEqual((await workspace.synced({ environment: ENVIRONMENT })).changed, [])
  const text = await exported(t, workspace, ENVIRONMENT)
  assert.match(text, /Authorization: Bearer \$\{HOOK_TOKEN\}-typed-in-clear/)
  assert.doesNotMatch(text, /signing_secret/)
  const { form: stored, webhook } = await webhookOf(workspace)
  const headers = { Authorization: 'Bearer ${HOOK_TOKEN}-another-in-clear' }
  await saveWebhooks(workspace.db, stored.id, [{ ...toWebhookDefinition(webhook), headers }], { secretBox })
  assert.match(await exported(t, workspace, ENVIRONMENT), /Authorization: ••••/)
})
