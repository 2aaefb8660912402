import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebhooks } from '#src/doctor/check-webhooks.ts'
import { updateSealed } from '#src/webhooks/definition/save-webhook-store.ts'
import { listWebhooksForUpdate } from '#src/webhooks/definition/webhook-store.ts'
import { said } from '../../support/said.ts'
import { aSealedSite, type SealedSite } from '../../support/sealed-site.ts'

/** Seals as versions before did: for the webhook alone. */
async function unbind({ db, secretBox }: SealedSite) {
  for (const { id } of await listWebhooksForUpdate(db)) {
    const seal = (text: string, place: string) => secretBox.seal(text, `form_webhooks.${place}`)
    const header = seal('Bearer token-in-clear', `headers_json.${id}.authorization`)
    const signingSecret = seal('signing-in-clear', `signing_secret.${id}`)
    await updateSealed(db, {
      id,
      headers: { Authorization: `sealed:${header}` },
      signingSecret,
      previousSecrets: [],
    })
  }
}

test('after an upgrade and before the first start, doctor decrypts secrets of the earlier version', async (t) => {
  const environment = { WEBHOOK_ALLOW: '127.0.0.0/8' }
  const site = await aSealedSite(t, { environment, url: 'http://127.0.0.1:9' })
  await unbind(site)
  const before = await site.db.selectFrom('form_webhooks').selectAll().execute()
  const { state, says } = said(await checkWebhooks(site.config))
  assert.equal(`${state}: ${says}`, 'ok: 4 on, all with reachable hosts')
  assert.deepEqual(
    await site.db.selectFrom('form_webhooks').selectAll().execute(),
    before,
    'nothing is written',
  )

  await site.db.updateTable('form_webhooks').set({ signing_secret: 'v1.AAAA' }).execute()
  assert.match(said(await checkWebhooks(site.config)).says, /^4 of 4 can't be sent now: .*SECRET_KEY/)
})
