import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

test('a condition with a choice’s label in place of its value is reported wherever conditions are shown', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const when = { building: 'House' }
  const fields = [
    { name: 'building', label: 'Building', type: 'select' as const, options: ['House/h', 'Flat/f'] },
  ]
  const settings = { notifications: [{ to: ['clare@example.com'], when }] }
  const { id } = await storeForm(db, 'quote', { settings, fields })
  const webhookId = await storeWebhook(db, id, { fireOn: when })
  const says = 'The conditions use “House”, but “Building” has no such choice. Correct the conditions.'
  for (const path of ['webhooks', `webhooks/${webhookId}`, 'emails', 'emails/0'])
    (await site.open(`/admin/forms/quote/${path}`)).getByText(says)
  await db
    .updateTable('form_fields')
    .set({ options_json: '["House","Flat/f"]' })
    .where('form_id', '=', id)
    .execute()
  for (const path of ['webhooks', `webhooks/${webhookId}`, 'emails', 'emails/0'])
    assert.equal((await site.open(`/admin/forms/quote/${path}`)).queryByText(says), null, path)
})
