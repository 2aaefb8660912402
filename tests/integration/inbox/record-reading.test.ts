import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { storeFormWithLeads } from '../../support/stored/leads.ts'

test('opening a lead, or a delivery with its answers, is recorded only if the setting is on', async (t) => {
  const site = await startAdmin(t)
  const { db, siteLocale } = site.app
  const { leads, pending } = await storeFormWithLeads(site.app, 'quotes')
  const [{ id }] = leads
  const entries = () =>
    db.selectFrom('audit_log').select(['action', 'subject_id', 'user_email', 'summary']).execute()
  const delivery = `/admin/deliveries/${pending[0].id}`
  for (const path of [`/admin/inbox/${id}`, delivery]) assert.equal((await site.fetch(path)).status, 200)
  assert.deepEqual(await entries(), [])

  const stored = await db.selectFrom('settings').select('value_json').where('key', '=', 'site').execute()
  const settings = { ...JSON.parse(stored[0]?.value_json ?? '{"name":"Site"}'), record_reading: true }
  const row = { key: 'site', value_json: JSON.stringify(settings) }
  await db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
  await siteLocale.refresh()
  assert.equal((await site.fetch(`/admin/inbox/${id}?from=/admin/inbox`)).status, 200)
  assert.equal((await site.fetch('/admin/inbox/99999')).status, 404)
  assert.match(await (await site.fetch(delivery)).text(), /ada@example\.com/)
  const opened = {
    ...{ action: 'submission.opened', subject_id: String(id), user_email: 'ann@example.com' },
    summary: `Opened lead ${id}`,
  }
  assert.deepEqual(await entries(), [opened, opened])
  await db.deleteFrom('delivery_bodies').where('delivery_id', '=', pending[0].id).execute()
  assert.equal((await site.fetch(delivery)).status, 200)
  assert.equal((await entries()).length, 2, 'without a body, it shows no answers')
})
