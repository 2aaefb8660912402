// biome-ignore-all lint/suspicious/noTemplateCurlyInString: content files name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentsFromDatabase } from '#src/content-files/documents-from-database.ts'
import { findForm } from '#src/forms/form-store.ts'
import { updateSealed } from '#src/webhooks/definition/save-webhook-store.ts'
import { listWebhooks } from '#src/webhooks/definition/webhook-store.ts'
import { openHeaders } from '#src/webhooks/secrets/sealed-headers.ts'
import { openSecrets } from '#src/webhooks/secrets/signing-secrets.ts'
import { NOW, openWorkspace, secretBox, type Workspace } from './workspace.ts'

const QUOTE = 'forms/quote.yaml'
const FORM = `name: Quote
fields:
  - { name: email, type: email, label: Email }
webhooks:
  - name: Office
    url: https://hooks.example/quotes
    headers: { Authorization: Bearer typed-in-clear, X-Team: sales }
    signing_secret: \${HOOK_SECRET}
`
const environment = { HOOK_SECRET: 'secret-in-clear' }

async function webhookOf({ db }: Workspace) {
  const form = await findForm(db, 'quote')
  const [webhook] = await listWebhooks(db, form?.id ?? 0)
  assert.ok(webhook)
  return webhook
}

/** Seals as versions before did: for the webhook alone. */
async function unbind(workspace: Workspace) {
  const { id } = await webhookOf(workspace)
  const seal = (text: string, place: string) => secretBox.seal(text, `form_webhooks.${place}`)
  const until = new Date(NOW.getTime() + 60_000).toISOString()
  await updateSealed(workspace.db, {
    id,
    headers: {
      Authorization: `sealed:${seal('Bearer typed-in-clear', `headers_json.${id}.authorization`)}`,
      'X-Team': 'sales',
    },
    signingSecret: seal('secret-in-clear', `signing_secret.${id}`),
    previousSecrets: [{ sealed: seal('older-in-clear', `previous_signing_secret.${id}`), until }],
  })
  const row = (await documentsFromDatabase(workspace.db)).get(QUOTE)
  await workspace.db
    .updateTable('content_files')
    .set({ row_sha256: row?.sha256 ?? '' })
    .where('path', '=', QUOTE)
    .execute()
}

test('secrets of an earlier version stay bound to their origin, and their form doesn’t count as edited', async (t) => {
  const workspace = await openWorkspace(t, { [QUOTE]: FORM })
  await workspace.synced({ environment })
  await unbind(workspace)
  assert.deepEqual((await workspace.synced({ environment })).changed, [])
  const webhook = await webhookOf(workspace)
  assert.deepEqual(openSecrets(webhook, { secretBox, now: NOW }), ['secret-in-clear', 'older-in-clear'])
  const headers = { Authorization: 'Bearer typed-in-clear', 'X-Team': 'sales' }
  assert.deepEqual(openHeaders(webhook.headers, { ...webhook, secretBox }), headers)
  const elsewhere = { ...webhook, url: 'https://other.example' }
  assert.deepEqual(openHeaders(webhook.headers, { ...elsewhere, secretBox }), webhook.headers)
  assert.equal(openSecrets(elsewhere, { secretBox, now: NOW }), undefined)

  assert.deepEqual((await workspace.synced({ environment })).kept, [])
  assert.deepEqual(await webhookOf(workspace), webhook, 'bound secrets stay as they are')
  workspace.write(QUOTE, FORM.replace('name: Quote', 'name: Offer'))
  assert.deepEqual((await workspace.synced({ environment })).changed, [QUOTE])
})
