import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from '../../support/admin.ts'
import { assertStored } from '../../support/desk.ts'
import { addPerson } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'
import { VALID_ANSWERS } from '../../support/submission-server.ts'

test('the dashboard shows emails that the mail server refuses, and a user’s places', async (t) => {
  const site = await startAdmin(t)
  const { db, desk } = site.app
  const { id } = assertStored(await desk.accept('waitlist', VALID_ANSWERS))
  const mail = { submission_id: id, form_id: 1, recipient: 'office@example.com', status: 'pending' as const }
  const at = { created_at: '2026-11-20T10:00:00.000Z', next_attempt_at: '2999-01-01T00:00:00.000Z' }
  await db
    .insertInto('notification_mails')
    .values({ ...mail, ...at })
    .execute()
  const title = 'Emails that need attention'
  const before = await site.open('/admin')
  assert.equal(before.queryAllByRole('heading', { name: title }).length, 0, 'a pending email has not failed')
  await db.updateTable('notification_mails').set({ attempt_count: 3, last_error: 'refused' }).execute()
  const page = await site.open('/admin')
  page.getByRole('heading', { name: title })
  const link = page.getByRole('link', { name: '1 email about leads not sent yet' })
  assert.equal(link.getAttribute('href'), `/admin/inbox/${id}`)
  assert.equal(page.queryAllByText(/^Your places/).length, 0)

  const places = await addPlaces(db, 'iowa', 'utah')
  const limited = await addPerson(site, 'manager', { places: [...places.values()] })
  const html = await (await limited.fetch('/admin')).text()
  assert.ok(!html.includes(title), 'the lead is of another place')
  assert.match(html, /Your places: Iowa, Utah and below/)
  assert.match(await (await limited.fetch('/admin/reports')).text(), /Your places: Iowa, Utah and below/)
})
