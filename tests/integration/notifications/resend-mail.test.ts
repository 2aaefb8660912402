import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { MailStatus } from '#src/db/tables/mail-tables.ts'
import { limitKeyOf, REPLY_LIMITS } from '#src/notifications/replies/plan-reply.ts'
import { checkResend, resendMail } from '#src/submissions/inbox/resend-mail.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { waitFor } from '../../support/running-site.ts'

const ANN = 'ann@example.com'
const FORM = {
  fields: [{ name: 'email', label: 'Email', type: 'email' as const }],
  settings: {
    notification_email: 'office@example.com',
    reply: { subject: 'Thank you', text: 'We call you back.' },
  },
}

interface Stored {
  status: MailStatus
  outcome_code: string | null
}

/** A form with a lead whose reply and notification have these states. */
async function aLead(db: AdminSite['app']['db'], reply: Stored, notification: Stored = reply) {
  const { id: form_id } = await storeForm(db, 'quote', FORM)
  const at = new Date(Date.now() - 60_000).toISOString()
  const { id: submission_id } = await db
    .insertInto('form_submissions')
    .values({ form_id, data_json: JSON.stringify({ email: ANN }), submitted_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const shared = { submission_id, form_id, created_at: at, finished_at: at, attempt_count: 7 }
  const keys = { recipient: ANN, limit_key: limitKeyOf(ANN) }
  await db
    .insertInto('reply_mails')
    .values({ ...shared, ...reply, ...keys })
    .execute()
  const { id: mailId } = await db
    .insertInto('notification_mails')
    .values({ ...shared, ...notification, recipient: 'office@example.com' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: submission_id, mailId }
}

async function startSite(t: TestContext, server: MailServer, ...states: [Stored, Stored?]) {
  let lead = { id: 0, mailId: 0 }
  const site = await startAdmin(t, {
    environment: { SMTP_URL: server.url, MAIL_FROM: 'forms@example.com' },
    prepare: async ({ db }) => {
      lead = await aLead(db, ...states)
    },
  })
  return { site, ...lead }
}

/** Stores another lead from the same address with its reply; returns its ID. */
async function storeSentReply(db: AdminSite['app']['db']): Promise<number> {
  const now = new Date().toISOString()
  const { id: submission_id } = await db
    .insertInto('form_submissions')
    .values({ form_id: null, data_json: '{}', submitted_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const keys = { recipient: ANN, limit_key: limitKeyOf(ANN) }
  await db
    .insertInto('reply_mails')
    .values({ submission_id, status: 'sent', created_at: now, ...keys })
    .execute()
  return submission_id
}

function stateOfReply(db: AdminSite['app']['db'], submissionId: number) {
  return db
    .selectFrom('reply_mails')
    .select(['status', 'created_at'])
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow()
}

const flashOf = (response: Response) => decodeURIComponent(response.headers.getSetCookie().join())

test('a reply that was broken off is sent again after a question, once', async (t) => {
  const server = await startMailServer(t)
  const { site, id } = await startSite(t, server, { status: 'failed', outcome_code: 'interrupted' })
  const lead = await site.open(`/admin/inbox/${id}`)
  const path = String(lead.getByRole('link', { name: 'Send reply again…' }).getAttribute('href'))
  const question = await site.open(path)
  question.getByRole('heading', { name: 'Send the reply again?' })
  question.getByText(`The form’s automatic reply will be sent to ${ANN}.`)
  question.getByText('The first reply may have arrived already, so the visitor may get a second one.')
  assert.equal(server.attempts(), 0)

  const before = { before: 'unclear' }
  const posted = await Promise.all([site.post(path, before), site.post(path, before)])
  assert.equal(posted.filter((one) => /on its way/.test(flashOf(one))).length, 1)
  await waitFor(async () => (await stateOfReply(site.app.db, id)).status === 'sent')
  assert.deepEqual(await newestChanges(site, 1), [`Sent the reply to lead ${id}`])
  assert.match(flashOf(await site.post(path, before)), /This email was already sent/)
  assert.deepEqual(
    server.received.map(({ recipients }) => recipients),
    [[ANN]],
  )
})

test('a notification that the mail server refused is sent again', async (t) => {
  const server = await startMailServer(t)
  const sent = { status: 'sent', outcome_code: null } as const
  const { site, id, mailId } = await startSite(t, server, sent, { status: 'failed', outcome_code: 'refused' })
  const lead = await site.open(`/admin/inbox/${id}`)
  assert.equal(lead.queryByRole('link', { name: 'Send reply again…' }), null)
  const link = lead.getByRole('link', { name: 'Send again to office@example.com…' })
  const href = String(link.getAttribute('href'))
  assert.equal(href.split('?')[0], `/admin/inbox/${id}/emails/${mailId}`)
  const question = await site.open(href)
  question.getByText('The email about this lead will be sent to office@example.com.')
  await site.post(`/admin/inbox/${id}/emails/${mailId}`, { before: 'unsent' })
  await waitFor(() => server.received.length)
  assert.deepEqual(server.received[0]?.recipients, ['office@example.com'])
  assert.deepEqual(await newestChanges(site, 1), [`Resent an email about lead ${id}`])
})

test('a question that was asked before the reply became uncertain is asked again', async (t) => {
  const server = await startMailServer(t)
  const { site, id } = await startSite(t, server, { status: 'failed', outcome_code: 'refused' })
  const path = `/admin/inbox/${id}/emails/reply`
  const asked = (await site.open(path)).getByRole('button', { name: 'Send reply' }).closest('form')
  const before = String(asked?.querySelector('[name="before"]')?.getAttribute('value'))
  await site.app.db.updateTable('reply_mails').set({ outcome_code: 'uncertain' }).execute()
  for (const fields of [{ before }, {}]) {
    const again = await site.post(path, fields)
    const question = await readAnswer(again, 409)
    question.getByText('This email has changed. Please confirm again.')
    question.getByText('The first reply may have arrived already, so the visitor may get a second one.')
    assert.equal((await stateOfReply(site.app.db, id)).status, 'failed')
  }
  assert.equal((await site.post(path, { before: 'unclear' })).status, 303)
  await waitFor(async () => (await stateOfReply(site.app.db, id)).status === 'sent')
})

test('a reply that may have arrived is sent again once an hour', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await aLead(db, { status: 'failed', outcome_code: 'uncertain' })
  const check = async (minutes: number) => {
    const options = { scope: EVERY_LEAD, now: new Date(Date.now() + minutes * 60_000) }
    const checked = await checkResend(db, { submissionId: id, mail: 'reply' }, options)
    return checked.kind === 'refused' ? checked.reason : checked.kind
  }
  assert.equal(await check(0), 'ready')
  const created_at = new Date(Date.now() + 10 * 60_000).toISOString()
  await db.updateTable('reply_mails').set({ created_at }).execute()
  assert.deepEqual([await check(69), await check(70)], ['address_limit', 'ready'])
})

test('nothing is sent again for spam, beyond a limit, or without a reply', async (t) => {
  const db = await openTestDatabase(t)
  const { id, mailId } = await aLead(db, { status: 'failed', outcome_code: 'refused' })
  const reasonOf = async (mail: 'reply' | number) => {
    const options = { scope: EVERY_LEAD, before: 'unsent', now: new Date() }
    const checked = await resendMail(db, { submissionId: id, mail }, options)
    return checked.kind === 'refused' ? checked.reason : checked.kind
  }
  await db.updateTable('form_submissions').set({ status: 'spam' }).execute()
  assert.deepEqual([await reasonOf('reply'), await reasonOf(mailId)], ['spam', 'spam'])
  await db.updateTable('form_submissions').set({ status: 'new' }).execute()

  await storeForm(db, 'quote', { ...FORM, settings: {} })
  assert.equal(await reasonOf('reply'), 'reply_off')
  await storeForm(db, 'quote', FORM)
  assert.equal(await reasonOf(999), 'not_found')

  const [hourly] = REPLY_LIMITS.address
  const [first] = await Promise.all(Array.from({ length: hourly.most }, () => storeSentReply(db)))
  assert.equal(await reasonOf('reply'), 'address_limit')
  await db
    .deleteFrom('reply_mails')
    .where('submission_id', '=', first ?? 0)
    .execute()
  // Its own failed attempt is no other reply, but the one that is now due counts.
  assert.equal(await reasonOf('reply'), 'ready')
  assert.equal(await reasonOf('reply'), 'pending')
  const row = await stateOfReply(db, id)
  assert.equal(row.status, 'pending')
  assert.ok(Date.now() - Date.parse(row.created_at) < 30_000)
})

test('an email is not sent again without an address or a form, or beyond the reader’s limits', async (t) => {
  const db = await openTestDatabase(t)
  const { id, mailId } = await aLead(db, { status: 'failed', outcome_code: 'refused' })
  const check = async (mail: 'reply' | number, scope = EVERY_LEAD) => {
    const checked = await checkResend(db, { submissionId: id, mail }, { scope, now: new Date() })
    return checked.kind === 'refused' ? checked.reason : checked.kind
  }
  assert.equal(await check('reply', { places: null, forms: [] }), 'not_found')
  await db.updateTable('reply_mails').set({ status: 'sent' }).execute()
  assert.equal(await check('reply'), 'sent')
  await db.deleteFrom('reply_mails').execute()
  assert.equal(await check('reply'), 'ready')
  await db.updateTable('form_submissions').set({ data_json: '{}' }).execute()
  assert.equal(await check('reply'), 'no_address')
  assert.equal(await check(mailId), 'ready')
  await db.updateTable('form_submissions').set({ form_id: null }).execute()
  assert.deepEqual([await check('reply'), await check(mailId)], ['reply_off', 'form_deleted'])
})
