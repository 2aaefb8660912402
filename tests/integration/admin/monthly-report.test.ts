import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccountMail } from '#src/server/accounts/account-mail.ts'
import { sendDueReports } from '#src/server/monthly-reports/monthly-reports.ts'
import { startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'

const MAIL_FROM = 'Signpost <forms@example.com>'

test('owners, and users who chose it, get the report of a month once, each of their places', async (t) => {
  const server = await startMailServer(t)
  const site = await startAdmin(t)
  const { db, config } = site.app
  const site_url = { siteUrl: config.siteUrl, smtpUrl: server.url, mailFrom: MAIL_FROM }
  const accountMail = createAccountMail(site_url)
  assert.ok(accountMail)
  const places = await addPlaces(db, 'salem', 'bend')
  const salem = places.get('salem') as number
  const leads = [salem, salem, places.get('bend') as number].map((location_id) => ({
    ...{ form_id: 1, data_json: '{}', location_id, location_path: 'x', page_path: '/services' },
    submitted_at: '2025-10-20T10:00:00.000Z',
  }))
  await db.insertInto('form_submissions').values(leads).execute()
  const limited = await addPerson(site, 'office', { places: [salem] })
  await addPerson(site, 'viewer')
  assert.equal((await limited.post('/admin/account/report', { report: 'on' })).status, 303)
  await db.updateTable('admin_users').set({ created_at: '2025-01-01T00:00:00.000Z' }).execute()
  const sendAt = (at: string) => sendDueReports({ db, config, accountMail, now: () => new Date(at) })
  await db
    .insertInto('settings')
    .values({ key: 'site', value_json: JSON.stringify({ name: 'Shannon', time_zone: 'America/Chicago' }) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        value_json: JSON.stringify({ name: 'Shannon', time_zone: 'America/Chicago' }),
      }),
    )
    .execute()
  await sendAt('2025-10-31T23:00:00.000Z')
  await sendAt('2025-11-01T04:59:00.000Z')
  assert.equal(server.received.length, 0, 'it is still October in Chicago')
  await Promise.all([sendAt('2025-11-01T05:00:00.000Z'), sendAt('2025-11-01T05:00:00.000Z')])
  await sendAt('2025-11-02T05:00:00.000Z')
  const mails = new Map(server.received.map(({ recipients, raw }) => [recipients.join(), raw]))
  assert.equal(server.received.length, 2)
  const own = mails.get(limited.email) ?? ''
  assert.match(own, /^Subject: Shannon: results of October 2025\r$/m)
  assert.match(own, /Leads: 2 \(September 2025: 0\)/)
  assert.match(own, /Salem: 2 leads, 0 won/)
  assert.doesNotMatch(own, /Bend/)
  const [whole = ''] = [...mails].filter(([email]) => email !== limited.email).map(([, raw]) => raw)
  assert.match(whole, /Leads: 3 \(September 2025: 0\)/)
  assert.match(whole, /Bend/)
  await sendAt('2025-11-20T05:00:00.000Z')
  await limited.post('/admin/account/report', { report: 'off' })
  await sendAt('2025-12-03T06:00:00.000Z')
  assert.equal(server.received.length, 3, 'the owner alone')
})

test('a report is asked for on the results screen, which says so without a mail server', async (t) => {
  const without = await startAdmin(t)
  const screen = await without.open('/admin/reports')
  screen.getByText('Reports by email need a mail server. Set SMTP_URL on the server.')
  const account = await without.open('/admin/account')
  account.getByText('Reports by email need a mail server. Set SMTP_URL on the server.')
  const refused = await without.post('/admin/reports/mail', { period: '2025-10' })
  assert.equal(refused.headers.get('location'), '/admin/reports?period=2025-10')
})
