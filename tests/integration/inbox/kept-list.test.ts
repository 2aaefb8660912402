import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { storeWebhook } from '../../support/desk.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { startReceiver } from '../../support/receiver.ts'
import { FORM_ID, settledDeliveries, submit } from '../webhooks/webhook-world.ts'

const LIST = '/admin/inbox?location=Dallas'

test('a lead keeps the list it was opened from after notes, resending, and canceling', async (t) => {
  const site = await startAdmin(t)
  const { db, dispatcher } = site.app
  const receiver = await startReceiver(t, 200)
  await storeWebhook(db, FORM_ID, { url: receiver.url })
  const id = await submit(db, { answers: { email: 'ann@example.com', role: 'owner' } })
  dispatcher.wake()
  await settledDeliveries(db)
  const here = `/admin/inbox/${id}?from=${encodeURIComponent(LIST)}`
  /** Posts the form of the lead's page with that path. */
  const post = async (path: RegExp, fields: Record<string, string>) => {
    const { element } = await readAnswer(await site.fetch(here))
    const form = [...element.querySelectorAll('form')].find((one) =>
      path.test(one.getAttribute('action') ?? ''),
    )
    const next = form?.querySelector<HTMLInputElement>('[name=next]')?.value ?? ''
    const answer = await site.post(form?.getAttribute('action') ?? '', { next, ...fields })
    return answer.headers.get('location')
  }
  assert.equal(await post(/\/notes$/, { body: '' }), here)
  assert.equal(await post(/\/notes$/, { body: 'Called back' }), here)
  assert.equal(await post(/\/notes\/\d+\/removal$/, {}), here)
  await db.updateTable('form_webhooks').set({ paused_at: new Date().toISOString() }).execute()
  assert.equal(await post(/\/replay$/, { mode: 'same_bytes' }), here)
  assert.equal(await post(/\/cancellation$/, {}), here)
  assert.equal(await post(/\/notes$/, { body: 'Again', next: 'https://evil.example/' }), '/admin')
})
