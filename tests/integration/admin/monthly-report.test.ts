import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { setGetsReport } from '#src/auth/report-choice-store.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { checkReports } from '#src/doctor/check-reports.ts'
import { createAccountMail } from '#src/server/accounts/account-mail.ts'
import { composeReport } from '#src/server/monthly-reports/compose-report.ts'
import {
  claimReport,
  findReportState,
  planReports,
} from '#src/server/monthly-reports/monthly-report-store.ts'
import { sendDueReports } from '#src/server/monthly-reports/monthly-reports.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { addPerson } from '../../support/people.ts'
import { said } from '../../support/said.ts'
import { addPlaces } from '../../support/small-site.ts'

const SITE_URL = 'https://www.example.com'
const NOW = '2025-01-01T00:00:00.000Z'
const MAIL_FROM = 'Signpost <forms@example.com>'

test('owners and subscribers get the monthly report once, for their places', async (t) => {
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
  assert.match(own, /^Subject: Shannon: results for October 2025\r$/m)
  assert.match(own, /Leads: 2 \(September 2025: 0\)/)
  assert.match(own, /Salem: 2 leads, 0 won/)
  assert.doesNotMatch(own, /Bend/)
  assert.match(own, /^Your places and their areas: Salem\r$/m)
  const [whole = ''] = [...mails].filter(([email]) => email !== limited.email).map(([, raw]) => raw)
  assert.match(whole, /Leads: 3 \(September 2025: 0\)/)
  assert.match(whole, /Bend/)
  assert.doesNotMatch(whole, /Your places/)
  await sendAt('2025-11-20T05:00:00.000Z')
  await limited.post('/admin/account/report', { report: 'off' })
  await sendAt('2025-12-03T06:00:00.000Z')
  assert.equal(server.received.length, 3, 'the owner alone')
})

test('a report is sent when its month is over on the site’s own calendar', async (t) => {
  const server = await startMailServer(t)
  const site = await startAdmin(t)
  const { db, config } = site.app
  const accountMail = createAccountMail({
    ...{ siteUrl: config.siteUrl, smtpUrl: server.url, mailFrom: MAIL_FROM },
  })
  assert.ok(accountMail)
  await db.updateTable('admin_users').set({ created_at: '2025-01-01T00:00:00.000Z' }).execute()
  await saveSiteSettings(db, siteSettings.parse({ name: 'Sakura', time_zone: 'Asia/Tokyo' }), { now: NOW })
  const sendAt = (at: string) => sendDueReports({ db, config, accountMail, now: () => new Date(at) })
  await sendAt('2025-10-31T14:59:00.000Z')
  assert.equal(server.received.length, 0, 'it is October in Tokyo')
  await sendAt('2025-10-31T15:00:00.000Z')
  const [mail] = server.received
  assert.match(mail?.raw ?? '', /^Subject: Sakura: results for October 2025\r$/m)
  assert.doesNotMatch(mail?.raw ?? '', /isn’t over|isn=E2/)
  await sendAt('2025-11-02T00:00:00.000Z')
  assert.equal(server.received.length, 1)
})

test('the results screen offers the monthly report and shows if there is no mail server', async (t) => {
  const without = await startAdmin(t)
  const screen = await without.open('/admin/reports')
  screen.getByText(/^This server can’t send email\. Monthly reports will not be sent\./)
  const account = await without.open('/admin/account')
  account.getByText(/^This server can’t send email\. You won’t get monthly reports/)
  const refused = await without.post('/admin/reports/mail', { period: '2025-10' })
  assert.equal(refused.headers.get('location'), '/admin/reports?period=2025-10')
})

test('a report isn’t resent after a crash, and its user and owners see the error', async (t) => {
  const server = await startMailServer(t, { refusals: [{ code: 451 }] })
  const site = await startAdmin(t, { environment: { SMTP_URL: server.url, MAIL_FROM } })
  const { db, config, accountMail } = site.app
  assert.ok(accountMail)
  const office = await addPerson(site, 'office')
  const [owner] = await db.selectFrom('admin_users').select('id').where('role', '=', 'owner').execute()
  assert.ok(owner)
  const planned = new Date('2025-11-10T05:00:00.000Z')
  await planReports(db, [owner.id], { period: '2025-10', now: planned })
  assert.ok(await claimReport(db, { now: planned }))
  const sendAt = (at: string) => sendDueReports({ db, config, accountMail, now: () => new Date(at) })
  await sendAt('2025-11-10T05:10:00.000Z')
  await sendAt('2025-11-10T05:20:00.000Z')
  await sendAt('2025-11-10T06:20:00.000Z')
  assert.equal(server.attempts(), 0)
  const account = await site.open('/admin/account')
  account.getByText(/Report for Oct 2025/)
  account.getByText(/Last error: The server stopped while sending, so/)
  const { says } = said(await checkReports(config))
  assert.equal(
    says,
    '1 report was not sent: ann@example.com (2025-10): The server stopped while sending, so the report may or may not have arrived. Check SMTP_URL. Users can request their reports again under Results',
  )
  await setGetsReport(db, office.id, true)
  await planReports(db, [office.id], { period: '2025-10', now: planned })
  await sendAt('2025-11-10T07:00:00.000Z')
  const results = await site.open('/admin/reports')
  results.getByText(new RegExp(`Oct 2025 report to ${office.email}: .*451`))
  const ofOffice = await (await office.fetch('/admin/account')).text()
  assert.match(ofOffice, /Next attempt:/)
  const forOffice = await (await office.fetch('/admin/reports')).text()
  assert.doesNotMatch(forOffice, /Failed reports/)
  await sendAt('2025-11-10T08:00:00.000Z')
  assert.equal(server.received.length, 1)
  const sent = await site.post('/admin/reports/mail', { period: '2025-10' })
  assert.equal(sent.headers.get('location'), '/admin/reports?period=2025-10')
  assert.equal(server.received.length, 2, 'sent on request')
  const raw = server.received.at(-1)?.raw ?? ''
  assert.match(raw, /You requested this email on the Results page/)
  assert.doesNotMatch(raw, /on the first of each month|isn’t over|isn=E2/)
})

test('a report says what it lacks: days of an unfinished month or year', async (t) => {
  const db = await openTestDatabase(t)
  const textOf = async (period: string, at: string) =>
    (await composeReport(db, { limits: NO_LIMITS }, { period, adminUrl: SITE_URL, now: new Date(at) })).text
  const october = /^October 2025 isn’t over yet, so these results are incomplete\.$/m
  assert.match(await textOf('2025-10', '2025-10-31T23:59:59.000Z'), october)
  assert.match(await textOf('2025', '2025-10-31T23:59:59.000Z'), /^2025 isn’t over/m)
  const past = await textOf('2025-10', '2025-11-01T00:00:00.000Z')
  assert.doesNotMatch(past, /isn’t over/)
  assert.match(past, /on the first of each month/)
})

test('an account that may no longer see results, or turned reports off, gets no retry', async (t) => {
  const server = await startMailServer(t)
  const db = await openTestDatabase(t)
  const accountMail = createAccountMail({ smtpUrl: server.url, mailFrom: MAIL_FROM, siteUrl: SITE_URL })
  assert.ok(accountMail)
  const now = new Date('2025-11-10T05:00:00.000Z')
  const changes: [error: string, columns: object][] = [
    ['The account is disabled.', { disabled_at: now.toISOString() }],
    ['The user can no longer see results.', { role: 'editor' }],
    ['The user can no longer see results.', { form_limit_json: '[1]' }],
    ['The user turned the report off.', { gets_report: 0 }],
  ]
  for (const [error, columns] of changes) {
    const account = { email: `${JSON.stringify(columns)}@example.com`, name: null, passwordHash: 'x' }
    const id = await insertAdministrator(db, { ...account, role: 'office', now })
    assert.ok(id)
    await setGetsReport(db, id, true)
    await planReports(db, [id], { period: '2025-10', now })
    await db.updateTable('admin_users').set(columns).where('id', '=', id).execute()
    await sendDueReports({ db, config: { adminUrl: SITE_URL }, accountMail, now: () => now })
    const state = await findReportState(db, id)
    assert.deepEqual([state?.status, state?.lastError], ['failed', error])
  }
  assert.equal(server.attempts(), 0)
})
