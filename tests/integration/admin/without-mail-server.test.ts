import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inviteUser } from '#src/auth/password-links/invitations.ts'
import { NO_LIMITS } from '#src/auth/roles/role.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { readPage } from '../../support/pages/read-page.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { storeAccount } from '../../support/stored/accounts.ts'

const MISSING = /^This server can’t send email\. /

/** Every file that sends or plans an email, with the screens that say when it can't. */
const SENDERS: Record<string, string[]> = {
  'src/admin/account/tell-own-user.ts': ['/admin/account'],
  'src/admin/emails/try-mail.ts': ['/new', '/0', '/reply'].map((path) => `/admin/forms/quote/emails${path}`),
  'src/admin/users/send-invitation.ts': [
    '/admin/users',
    '/admin/users/new',
    '/admin/users/INVITED/invitation',
  ],
  'src/pages/admin/login/reset.astro': ['/admin/users'],
  // Only an email leads there.
  'src/pages/admin/password-reset/[token].astro': ['/admin/users'],
  'src/pages/admin/reports/mail.astro': ['/admin/reports'],
  'src/pages/admin/users/[id]/two-factors/removal.astro': ['/admin/users/OTHER/two-factors/removal'],
  'src/server/monthly-reports/monthly-reports.ts': ['/admin', '/admin/account', '/admin/reports'],
  'src/server/previews/answer-mails.ts': ['/admin/publish/previews'],
  'src/submissions/inbox/mark-spam.ts': ['/admin/inbox/LEAD'],
  'src/submissions/inbox/resend-mail.ts': ['/admin/inbox/LEAD'],
  'src/submissions/intake/commit-submissions.ts': [
    ...['/admin', '/admin/inbox/LEAD', '/admin/forms/quote/settings'],
    ...['', '/new', '/0', '/reply'].map((path) => `/admin/forms/quote/emails${path}`),
  ],
  'src/submissions/intake/reply-content.ts': ['/admin/forms/quote/emails/reply', '/admin/inbox/LEAD'],
}

const SENDS =
  /(?<!function )\b(?:accountMail|tellUser|resetMails\.send|insertMails|mailInserts|planReply|retryMail|retryReply)\(/

const SETTINGS = {
  notifications: [{ to: ['office@example.com'] }],
  reply: { subject: 'Thank you', text: 'We call you back.' },
}

async function startSite(t: TestContext, environment: Record<string, string> = {}) {
  const site = await startAdmin(t, {
    environment,
    prepare: ({ db }) =>
      storeForm(db, 'quote', {
        fields: [{ name: 'email', label: 'Email', type: 'email' }],
        settings: SETTINGS,
      }),
  })
  const { db } = site.app
  const other = await storeAccount(site.app, 'other')
  const invited = await inviteUser(
    db,
    {
      ...{ email: 'new@example.com', name: null, actorId: site.administratorId },
      access: { role: 'office', limits: NO_LIMITS },
    },
    { now: new Date() },
  )
  assert.equal(invited.kind, 'saved')
  const { id: form_id } = await db
    .selectFrom('forms')
    .select('id')
    .where('slug', '=', 'quote')
    .executeTakeFirstOrThrow()
  const { id: lead } = await db
    .insertInto('form_submissions')
    .values({ form_id, data_json: '{"email":"ann@example.com"}', submitted_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ids = { LEAD: lead, OTHER: other.id, INVITED: invited.value.id }
  const pathOf = (screen: string) =>
    screen.replace(/LEAD|OTHER|INVITED/, (name) => String(ids[name as keyof typeof ids]))
  return { site, pathOf, lead }
}

/** The notices of a page that say that email is missing. */
async function missingAt(site: AdminSite, path: string) {
  const page = await site.open(path)
  return page.queryAllByText((_, element) => element?.children.length === 0 && MISSING.test(wordsOf(element)))
}

const wordsOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()

test('every file that sends email names the screens that say when it can’t', () => {
  const found = readdirSync(join(PROJECT_DIR, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|astro)$/.test(file) && !file.startsWith('notifications/'))
    .map((file) => `src/${file}`)
    .filter((file) => SENDS.test(readFileSync(join(PROJECT_DIR, file), 'utf8')))
  assert.deepEqual(found.toSorted(), Object.keys(SENDERS).toSorted())
})

test('without a mail server, every screen about email says so, once', async (t) => {
  const { site, pathOf } = await startSite(t)
  for (const screen of new Set(Object.values(SENDERS).flat()))
    await t.test(screen, async () => {
      const [notice, ...others] = await missingAt(site, pathOf(screen))
      assert.ok(notice)
      assert.deepEqual(others, [])
      assert.doesNotMatch(wordsOf(notice), /SMTP_URL/)
      const setup = notice.parentElement?.querySelector('details:not([open])')
      assert.match(wordsOf(setup as Element), /^How to set this up ?Set SMTP_URL and MAIL_FROM on the server/)
    })
  await t.test('the link of an invitation', async () => {
    const posted = await site.post('/admin/users/new', {
      email: 'third@example.com',
      name: '',
      role: 'office',
    })
    readPage(await posted.text()).getByText(/Send the link to third@example\.com yourself/)
  })
  await t.test('a report that someone asks for', async () => {
    const posted = await site.post('/admin/reports/mail', { period: '2026-10' })
    assert.match(decodeURIComponent(posted.headers.getSetCookie().join()), /This server can’t send email/)
  })
})

test('with a mail server, no screen says that email is missing', async (t) => {
  const server = await startMailServer(t)
  const { site, pathOf } = await startSite(t, { SMTP_URL: server.url, MAIL_FROM: 'forms@example.com' })
  for (const screen of new Set(Object.values(SENDERS).flat()))
    assert.deepEqual(await missingAt(site, pathOf(screen)), [], screen)
})

test('a lead from before the mail server says what was not sent, and offers the reply', async (t) => {
  const server = await startMailServer(t)
  const { site, lead } = await startSite(t, { SMTP_URL: server.url, MAIL_FROM: 'forms@example.com' })
  const emails = async () => (await site.open(`/admin/inbox/${lead}`)).part('region', { name: 'Emails' })
  ;(await emails()).getByText(
    'No one was emailed about this lead, and the visitor got no reply. When the lead arrived, the server couldn’t send email, or the form wasn’t set up to send this email.',
  )
  const path = (await emails()).getByRole('link', { name: 'Send reply…' }).getAttribute('href')
  ;(await site.open(String(path))).getByRole('heading', { name: 'Send the reply?' })
  assert.equal((await site.post(String(path), { before: 'none' })).status, 303)
  ;(await emails()).getByText(/^No one was emailed about this lead\. When/)
  ;(await emails()).getByText('Reply to ann@example.com')

  await site.app.db
    .updateTable('forms')
    .set({ settings_json: JSON.stringify({ ...SETTINGS, notifications: [] }) })
    .where('slug', '=', 'quote')
    .execute()
  assert.equal((await emails()).queryByText(/No one was emailed/), null)
})
