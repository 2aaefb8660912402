import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import type { MailOutcome } from '#src/notifications/send-mail.ts'
import { composeReport } from '#src/server/monthly-reports/compose-report.ts'
import {
  claimReport,
  closeLostReports,
  findReportState,
  listFailedReports,
  planReports,
  settleReport,
} from '#src/server/monthly-reports/monthly-report-store.ts'
import { createMonthlyReports, sendDueReports } from '#src/server/monthly-reports/monthly-reports.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const FIRST = new Date('2025-11-01T00:00:00.000Z')
const MINUTE_MS = 60_000
const after = (ms: number, from = FIRST) => new Date(from.getTime() + ms)
const SENT: MailOutcome = { kind: 'sent', response: '250' }
const failed = (values: { isFinal?: boolean; isUncertain?: boolean } = {}): MailOutcome => ({
  ...{ kind: 'failed', message: 'refused', isFinal: false, isUncertain: false },
  ...values,
})
const config = { adminUrl: 'https://admin.example.com' }

/** A site with an owner since 2025-01, and a mail server with these outcomes, the last from then on. */
async function aSite(t: TestContext, ...outcomes: MailOutcome[]) {
  const db = await openTestDatabase(t)
  const settings = siteSettings.parse({ name: 'Shannon', time_zone: 'UTC' })
  await saveSiteSettings(db, settings, { now: FIRST.toISOString() })
  let users = 0
  const addOwner = async (now = new Date('2025-01-01T00:00:00.000Z')) => {
    users += 1
    const email = `owner-${users}@example.com`
    return (await insertAdministrator(db, { email, name: null, passwordHash: 'x', now })) ?? 0
  }
  const owner = await addOwner()
  const mails: { recipient: string; subject: string }[] = []
  const accountMail = async (mail: { recipient: string; subject: string }) => {
    mails.push(mail)
    return outcomes[Math.min(mails.length, outcomes.length) - 1] ?? SENT
  }
  const sendAt = (now: Date, signal?: AbortSignal) =>
    sendDueReports({ db, config, accountMail, now: () => now }, signal && { signal })
  const state = async (id = owner) => {
    const found = await findReportState(db, id)
    return found && [found.period, found.status, found.lastError, found.dueAt]
  }
  return { db, owner, addOwner, mails, accountMail, sendAt, state }
}

test('the report of a month is sent on the first of the next one, up to the seventh, once', async (t) => {
  const { addOwner, mails, sendAt, state } = await aSite(t)
  await sendAt(after(-1))
  await sendAt(after(7 * 24 * 60 * MINUTE_MS))
  assert.deepEqual([mails, await state()], [[], undefined])
  const late = await addOwner(FIRST)
  await sendAt(after(7 * 24 * 60 * MINUTE_MS - 1))
  await sendAt(after(7 * 24 * 60 * MINUTE_MS - 1))
  const at = after(7 * 24 * 60 * MINUTE_MS - 1).toISOString()
  assert.deepEqual(await state(), ['2025-10', 'sent', null, at])
  assert.equal(await state(late), undefined, 'the account is newer than the month')
  assert.deepEqual(
    mails.map(({ recipient, subject }) => [recipient, subject]),
    [['owner-1@example.com', 'Shannon: results for October 2025']],
  )
  await sendAt(new Date('2026-01-01T00:00:00.000Z'))
  assert.deepEqual((await state())?.[0], '2025-12')
  assert.equal((await state(late))?.[0], '2025-12')
  assert.equal(mails.length, 3)
})

test('a report is tried five times, half an hour apart, unless that is pointless or a repeat', async (t) => {
  const { mails, sendAt, state } = await aSite(t, failed())
  let at = FIRST
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await sendAt(at)
    const next = after(30 * MINUTE_MS, at)
    const status = attempt < 5 ? 'pending' : 'failed'
    assert.deepEqual(await state(), ['2025-10', status, 'refused', next.toISOString()], `${attempt}`)
    await sendAt(after(-1, next))
    assert.equal(mails.length, attempt)
    at = next
  }
  for (const values of [{ isFinal: true }, { isUncertain: true }]) {
    const other = await aSite(t, failed(values))
    await other.sendAt(FIRST)
    assert.deepEqual((await other.state())?.slice(1, 3), ['failed', 'refused'])
  }
})

test('no report is sent to a deleted account, or while the program stops', async (t) => {
  const { db, owner, addOwner, mails, sendAt, state } = await aSite(t)
  await addOwner()
  await sendAt(FIRST, AbortSignal.abort())
  assert.deepEqual([mails.length, (await state())?.[1]], [0, 'pending'])
  await db
    .updateTable('admin_users')
    .set({ disabled_at: FIRST.toISOString() })
    .where('id', '=', owner)
    .execute()
  await sendAt(FIRST)
  assert.deepEqual((await state())?.slice(1, 3), ['failed', 'The account is disabled.'])
  assert.equal(mails.length, 1)
})

test('a report whose sender died is closed after a quarter of an hour', async (t) => {
  const { db, owner, mails, sendAt, state } = await aSite(t)
  await planReports(db, [], { period: '2025-10', now: FIRST })
  await planReports(db, [owner], { period: '2025-10', now: FIRST })
  const claimed = await claimReport(db, { now: FIRST })
  assert.deepEqual([claimed?.userId, claimed?.period, claimed?.attempts], [owner, '2025-10', 1])
  await sendAt(after(15 * MINUTE_MS))
  assert.equal((await state())?.[1], 'sending')
  await sendAt(after(15 * MINUTE_MS + 1))
  const error = 'The server stopped while sending, so the report may or may not have arrived.'
  assert.deepEqual((await state())?.slice(1, 3), ['failed', error])
  assert.equal(mails.length, 0)
})

test('reports are claimed in turn, and failed ones are listed for the newest month', async (t) => {
  const { db, owner, addOwner } = await aSite(t)
  const [second, third] = [await addOwner(), await addOwner()]
  await planReports(db, [owner], { period: '2025-09', now: FIRST })
  await planReports(db, [third], { period: '2025-10', now: after(2) })
  await planReports(db, [owner, second], { period: '2025-10', now: after(1) })
  await planReports(db, [second], { period: '2025-10', now: after(9) })
  assert.equal(await claimReport(db, { now: after(-1) }), undefined)
  const claimed = []
  for (
    let one = await claimReport(db, { now: after(2) });
    one;
    one = await claimReport(db, { now: after(2) })
  )
    claimed.push(one)
  assert.deepEqual(
    claimed
      .map(({ userId, period }) => [userId, period])
      .slice(0, 1)
      .concat([[claimed.at(-1)?.userId ?? 0, '2025-10']]),
    [
      [owner, '2025-09'],
      [third, '2025-10'],
    ],
  )
  assert.equal(claimed.length, 4)
  const [old, first, other, last] = claimed
  const settle = (id = 0, status: 'failed' | 'pending' | 'sent', error: string | null) =>
    settleReport(db, id, { status, error })
  await settle(old?.id, 'failed', 'old')
  await settle(first?.id, 'failed', 'first')
  await settle(other?.id, 'sent', null)
  assert.deepEqual(
    (await listFailedReports(db)).map(({ lastError, status }) => [lastError, status]),
    [['first', 'failed']],
  )
  await settle(last?.id, 'pending', 'last')
  await settle(other?.id, 'pending', null)
  assert.deepEqual((await listFailedReports(db)).map(({ lastError }) => lastError).sort(), ['first', 'last'])
  await closeLostReports(db, { before: after(99), error: 'lost' })
  assert.equal((await findReportState(db, third))?.lastError, 'last', 'only those being sent')
})

test('with several servers, the leader sends reports', async (t) => {
  const { db, accountMail, mails } = await aSite(t)
  const log = { error: (fields: object) => assert.fail(JSON.stringify(fields)) }
  const options = { db, config, now: () => FIRST, log }
  assert.equal(createMonthlyReports({ ...options, accountMail: undefined }), undefined)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let leads = false
  let asked = 0
  const heartbeat = {
    leads() {
      asked += 1
      return leads
    },
  }
  const reports = createMonthlyReports({ ...options, accountMail, heartbeat })
  assert.ok(reports)
  atEnd(t, () => reports.stop())
  reports.start()
  t.mock.timers.tick(MINUTE_MS - 1)
  await new Promise(setImmediate)
  assert.equal(asked, 0)
  t.mock.timers.tick(1)
  t.mock.timers.reset()
  await waitFor(async () => asked === 1)
  await reports.stop()
  assert.equal(mails.length, 0)
  for (const one of [heartbeat, undefined]) {
    leads = true
    await db.deleteFrom('monthly_reports').execute()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const leader = createMonthlyReports({ ...options, accountMail, heartbeat: one })
    leader?.start()
    t.mock.timers.tick(MINUTE_MS)
    t.mock.timers.reset()
    const before = mails.length
    await waitFor(async () => mails.length === before + 1)
    await leader?.stop()
  }
})

test('a report has the figures of its period, of the one before, and what led to them', async (t) => {
  const { db } = await aSite(t)
  const ids = await addPlaces(db, 'texas/austin', 'ohio')
  const [austin, ohio] = [`#${ids.get('texas/austin') ?? ids.get('austin')}`, `#${ids.get('ohio')}`]
  const repair = `#${await addEntry(db, 'services', { slug: 'repair', title: 'AC repair' })}`
  const visit = {
    service: repair,
    place: austin,
    source: 'search:google',
    page: '/repair',
    views: 1,
    taps: 0,
  }
  await addTraffic(db, [
    { ...visit, day: '2025-10-02', views: 1_000, taps: 1 },
    { ...visit, day: '2025-10-03', place: ohio, source: 'direct', page: '/ohio', views: 20, taps: 2 },
    { ...visit, day: '2025-09-03', views: 7 },
    { ...visit, day: '2024-09-03', views: 9 },
    ...Array.from({ length: 6 }, (_, index) => ({
      ...{ ...visit, day: '2025-10-04', service: '', place: '', source: '', page: `/p${index}` },
    })),
  ])
  const lead = { service: repair, place: austin, source: 'search:google', page: '/repair' }
  await db
    .insertInto('lead_changes')
    .values([
      { ...lead, day: '2025-10-02', leads: 1, won: 1 },
      { ...lead, day: '2025-09-02', leads: 3, won: 0 },
    ])
    .execute()
  const compose = (period: string, values: object = {}) =>
    composeReport(db, { limits: { ...NO_LIMITS, ...values } }, { period, ...config, now: FIRST })
  const { subject, text, html } = await compose('2025-10')
  assert.equal(subject, 'Shannon: results for October 2025')
  const lines = text.split('\n')
  for (const line of [
    'Leads: 1 (September 2025: 3)',
    'Won: 1 (September 2025: 0)',
    'Phone taps: 3 (September 2025: 0)',
    'Views: 1,026 (September 2025: 7)',
    'AC repair: 1 lead, 1 won, 1,020 views, 3 phone taps',
    '/repair: 1 lead, 1 won, 1,000 views, 1 phone tap',
    '/p0: 0 leads, 0 won, 1 view',
  ])
    assert.ok(lines.includes(line), `${line} is missing in\n${text}`)
  const sections = text.split('\n\n')
  assert.deepEqual(
    sections.map((section) => section.split('\n')[0]),
    [
      'Leads: 1 (September 2025: 3)',
      'Top services:',
      'Top pages:',
      'Top places, including their areas:',
      'Top sources:',
      'Open the results:',
      'You get this email on the first of each month. To stop these emails, go to your account page:',
    ],
  )
  assert.equal(sections[2]?.split('\n').length, 6, 'five pages')
  assert.doesNotMatch(text, /^: /m, 'nothing without a name')
  assert.match(text, /\nhttps:\/\/admin\.example\.com\/admin\/reports\?period=2025-10\n/)
  assert.match(text, /\nhttps:\/\/admin\.example\.com\/admin\/account\n$/)
  assert.match(html, /<h2 [^>]*>Top services<\/h2>/)
  assert.match(html, /1,020 views/)
  assert.match(html, /href="https:\/\/admin\.example\.com\/admin\/account"/)
  assert.equal(html.match(/<h2 /g)?.length, 4, 'the figures have no heading')
  const year = await compose('2025', { places: [ids.get('ohio')] })
  assert.equal(year.subject, 'Shannon: results for 2025')
  assert.match(year.text, /^Your places and their areas: Ohio\n\n2025 isn’t over yet/i)
  assert.match(year.html, /Your places and their areas/)
  assert.match(year.text, /Views: 20 \(2024: 0\)/)
  assert.match((await compose('2025')).text, /Views: 1,033 \(2024: 9\)/)
  const none = (await compose('2023-01')).text.split('\n\n')
  assert.equal(none.length, 3, 'no empty sections')
})
