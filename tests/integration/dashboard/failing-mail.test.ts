import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findMailProblems } from '#src/notifications/failing-mail-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { sqliteEngine } from '../../support/database.ts'
import { assertStored } from '../../support/desk.ts'
import { addPerson } from '../../support/people.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
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
  const link = page.getByRole('link', { name: '1 lead email not sent yet' })
  assert.equal(link.getAttribute('href'), `/admin/inbox/${id}#mails`)
  assert.equal(page.queryAllByText(/^Your places/).length, 0)

  const places = await addPlaces(db, 'iowa', 'utah')
  const limited = await addPerson(site, 'manager', { places: [...places.values()] })
  const html = await (await limited.fetch('/admin')).text()
  assert.ok(!html.includes(title), 'the lead is of another place')
  assert.match(html, /Your places and their areas: Iowa, Utah/)
  assert.match(
    await (await limited.fetch('/admin/reports')).text(),
    /Your places and their areas: Iowa, Utah/,
  )
})

test('the dashboard lists emails that failed for good until they are sent again or the lead is archived', async (t) => {
  const site = await startAdmin(t, {
    environment: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@example.com' },
  })
  const { db, desk } = site.app
  const { id } = assertStored(await desk.accept('waitlist', VALID_ANSWERS))
  const finished_at = new Date().toISOString()
  const mail = {
    submission_id: id,
    form_id: 1,
    status: 'failed' as const,
    created_at: finished_at,
    finished_at,
  }
  const newest = { recipient: 'ann@example.com', finished_at: new Date(Date.now() + 1_000).toISOString() }
  const reply = { ...mail, ...newest, limit_key: 'x', outcome_code: 'refused' }
  await db.insertInto('reply_mails').values(reply).execute()
  const recipients = ['one', 'two', 'three', 'four', 'five'].map((name) => `${name}@example.com`)
  const old = { ...mail, recipient: 'old@example.com', finished_at: '2020-01-01T00:00:00.000Z' }
  await db
    .insertInto('notification_mails')
    .values([...recipients.map((recipient) => ({ ...mail, recipient })), old])
    .execute()
  const named = async () => {
    const page = await site.open('/admin')
    return page.queryAllByRole('link', { name: /@example\.com$/ }).map((link) => link.textContent?.trim())
  }
  const page = await site.open('/admin')
  const link = page.getByRole('link', { name: 'Reply to ann@example.com' })
  const [path = '', part] = String(link.getAttribute('href')).split('#')
  page.getByText('and 1 more')
  assert.equal((await named()).length, 5)
  const lead = await site.open(path)
  assert.ok(lead.element.querySelector(`#${part}`))
  lead.getByRole('link', { name: 'Send again to one@example.com…' })
  const limited = await addPerson(site, 'manager', { places: [] })
  assert.doesNotMatch(await (await limited.fetch('/admin')).text(), /Reply to ann@/)

  await db.updateTable('reply_mails').set({ status: 'pending' }).execute()
  await db
    .updateTable('notification_mails')
    .set({ status: 'sent' })
    .where('recipient', '!=', recipients[0] ?? '')
    .execute()
  assert.deepEqual(await named(), ['Email to one@example.com'])
  await site.post('/admin/inbox/sorting', { sorting: 'archive', ids: [String(id)] })
  assert.deepEqual(await named(), [])
})

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: failing emails come with the oldest, failed ones newest first, of leads in the scope`, async () => {
    const db = await engine.openMigrated()
    const [iowa = 0, utah = 0] = [...(await addPlaces(db, 'iowa', 'utah')).values()]
    const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
    const leads = await db
      .insertInto('form_submissions')
      .values([iowa, iowa, utah].map((location_id) => ({ form_id: 1, data_json: '{}', location_id })))
      .returning('id')
      .execute()
    const mails = leads.map(({ id }, minute) => ({
      ...{ submission_id: id, form_id: 1, recipient: `${minute}@example.com`, attempt_count: 7 },
      created_at: at(minute),
    }))
    const failed = mails.map((mail) => ({ ...mail, status: 'failed' as const, finished_at: mail.created_at }))
    const pending = mails.map((mail) => ({ ...mail, status: 'pending' as const, next_attempt_at: at(9) }))
    await db
      .insertInto('notification_mails')
      .values([...failed, ...pending])
      .execute()
    const find = (places: number[] | null, since = at(0)) =>
      findMailProblems(db, { scope: { places, forms: null }, since, limit: 2 })
    const all = await find(null)
    assert.deepEqual(all.failing, { count: 3, submissionId: leads[0]?.id, since: at(0) })
    assert.equal(all.failed.count, 3)
    assert.deepEqual(
      all.failed.mails.map(({ recipient }) => recipient),
      ['2@example.com', '1@example.com'],
    )
    const ofIowa = await find([iowa], at(1))
    assert.deepEqual([ofIowa.failing?.count, ofIowa.failed.count], [2, 1])
    const ofNone = await find([])
    assert.deepEqual(ofNone, { failing: undefined, failed: { count: 0, mails: [] } })
  })
}
