import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { exportContent } from '#src/content-files/export-content.ts'
import { changeWebhook } from '#src/webhooks/definition/edit-webhook.ts'
import { findWebhook, toWebhookDefinition } from '#src/webhooks/definition/webhook-store.ts'
import { temporaryFolder } from '../../support/database.ts'
import { assertTells } from '../../support/wording.ts'
import { NOW, openWorkspace, secretBox, type Workspace } from './workspace.ts'

const QUOTE = 'forms/quote.yaml'
const FORM = `name: Quote
fields:
  - { name: email, type: email, label: E-mail }
webhooks:
  - name: Sheet
    url: https://script.example/exec
`

async function webhookOf({ db }: Workspace) {
  const webhook = await findWebhook(db, 1)
  assert.ok(webhook)
  return webhook
}

async function exportedText(t: TestContext, { db, pictureFiles }: Workspace) {
  const out = join(temporaryFolder(t), 'export')
  await exportContent(db, { out, environment: {}, secretBox, pictureFiles })
  return readFileSync(join(out, QUOTE), 'utf8')
}

test('contract §8: accept_redirect is synced and exported', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: `${FORM}    accept_redirect: true\n` })
  await workspace.synced()
  assert.equal((await webhookOf(workspace)).acceptRedirect, true)
  assert.match(await exportedText(t, workspace), /accept_redirect: true/)
  workspace.write(QUOTE, `${FORM}    accept_redirect: false\n`)
  await workspace.synced()
  assert.equal((await webhookOf(workspace)).acceptRedirect, false)
  assert.doesNotMatch(await exportedText(t, workspace), /accept_redirect/)
})

test('contract §8: only true and false are accepted', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: `${FORM}    accept_redirect: 302\n` })
  const result = await workspace.sync()
  assert.ok(result.kind === 'mistakes')
  assertTells(result.mistakes[0], /accept_redirect is 302, expected true or false/)
})

test('a file and a webhook from before accept_redirect are unchanged after the upgrade', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: FORM })
  await workspace.synced()
  const { document_json } = await workspace.db
    .selectFrom('content_files')
    .select('document_json')
    .where('path', '=', QUOTE)
    .executeTakeFirstOrThrow()
  assert.doesNotMatch(String(document_json), /accept_redirect/)
  const stored = toWebhookDefinition(await webhookOf(workspace))
  const edited = { ...stored, name: 'Renamed in the admin' }
  await changeWebhook(workspace.db, 1, { definition: edited }, { secretBox, now: NOW })
  assert.deepEqual((await workspace.synced()).changed, [])
  assert.equal((await webhookOf(workspace)).name, 'Renamed in the admin')
})
