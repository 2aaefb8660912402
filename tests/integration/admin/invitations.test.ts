import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAdministrators } from '#src/auth/administrator-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { type Page, readAnswer, readPage } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'

const BOB = { email: 'bob@example.com', name: 'Bob', role: 'editor' }
const PASSWORD = 'tangerine ladder fog'

/** The path of the link that a page shows once. */
function pathIn(page: Page, { url }: AdminSite): string {
  const link = page.part('status', { name: 'Invitation link' }).words
  assert.ok(link.startsWith(`${url}/admin/invitation/`), link)
  return link.slice(url.length)
}

async function invite(site: AdminSite) {
  const page = await readAnswer(await site.post('/admin/users/new', BOB))
  const bob = (await listAdministrators(site.app.db)).find(({ email }) => email === BOB.email)
  return { page, path: pathIn(page, site), id: bob?.id ?? 0 }
}

/** Asks as a browser that nobody is signed in to. */
function askAsStranger(site: AdminSite, path: string, fields?: Record<string, string>) {
  const body = fields && new URLSearchParams(fields)
  return site.fetch(path, { headers: { cookie: '' }, ...(body && { method: 'POST', body }) })
}

test('an invited user opens the link, chooses a password, and is signed in; the link is then used up', async (t) => {
  const site = await startAdmin(t)
  const controls = (await site.open('/admin/users/new')).element.querySelectorAll('input')
  assert.deepEqual(
    Array.from(controls, ({ type }) => type),
    ['email', 'text', ...Array(5).fill('radio'), ...Array(4).fill('checkbox')],
  )
  const { page: invited, path, id } = await invite(site)
  invited.getByText(/can’t send email\. Send the link to bob@example\.com/)
  const token = path.split('/').at(-1) ?? ''
  assert.match(token, /^[\w-]{43}$/)
  const row = (await site.open('/admin/users')).part('row', { name: /^bob@example\.com / })
  row.getByRole('cell', { name: 'invited' })
  for (const page of ['/admin/users', `/admin/users/${id}`, '/admin/audit'])
    assert.ok(!(await site.read(page)).includes(token), page)

  const opened = await askAsStranger(site, path)
  assert.equal(opened.headers.get('referrer-policy'), 'strict-origin')
  assert.equal((await readAnswer(opened)).valueOf('Email address'), 'bob@example.com')
  const weak = await readAnswer(await askAsStranger(site, path, { password: 'password1234' }), 422)
  assert.match(String(weak.mistakeOf('Password')), /easy to guess/)
  const accepted = await askAsStranger(site, path, { password: PASSWORD })
  assert.equal(accepted.headers.get('location'), '/admin')
  const cookie = accepted.headers.getSetCookie().find((text) => text.startsWith('signpost_session')) ?? ''
  const account = await site.fetch('/admin/account', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  ;(await readAnswer(account)).getByText('bob@example.com')
  const signedIn = await askAsStranger(site, '/admin/login', { ...BOB, password: PASSWORD })
  assert.equal(signedIn.status, 303)

  assert.deepEqual(await newestChanges(site, 3), [
    'Signed in',
    'Accepted the invitation',
    'Invited bob@example.com as Editor',
  ])
  assert.equal((await site.fetch(`/admin/users/${id}/invitation`)).status, 404, 'there is none to renew')
})

test('accepting an invitation ends the session that the browser had', async (t) => {
  const site = await startAdmin(t)
  const { cookie } = site
  const { path } = await invite(site)
  const weak = await site.post(path, { password: 'short' })
  assert.equal(weak.status, 422)
  assert.equal((await site.fetch('/admin/users', { headers: { cookie } })).status, 200)
  const accepted = await site.post(path, { password: PASSWORD })
  assert.equal(accepted.status, 303)
  assert.notEqual(site.cookie, cookie)
  assert.equal((await site.fetch('/admin/users', { headers: { cookie } })).status, 303)
  assert.match(await site.read('/admin/account'), /bob@example\.com/)
})

test('used, replaced, expired, disabled, and wrong links get the same response', async (t) => {
  const site = await startAdmin(t)
  const { path: replaced, id } = await invite(site)
  const user = await site.open(`/admin/users/${id}`)
  assert.match(user.words, /Account invited.*Invitation expires [A-Z][a-z]{2} \d.*Two-step sign-in off/)
  const renew = user.getByRole('link', { name: 'Renew invitation' }).getAttribute('href')
  assert.equal(renew, `/admin/users/${id}/invitation`)
  await site.read(`/admin/users/${id}/invitation`)
  assert.equal((await askAsStranger(site, replaced)).status, 200, 'looking renews nothing')
  const path = pathIn(await readAnswer(await site.post(`/admin/users/${id}/invitation`)), site)
  assert.deepEqual(await newestChanges(site), ['Renewed the invitation for bob@example.com'])

  const answers: string[] = []
  const expectRefusal = async (asked: string) => {
    for (const fields of [undefined, { password: PASSWORD }, { password: 'short' }]) {
      const answer = await askAsStranger(site, asked, fields)
      answers.push(`${answer.status} ${await answer.text()}`)
    }
  }
  await expectRefusal(replaced)
  for (const wrong of ['/admin/invitation/x', `/admin/invitation/${'a'.repeat(43)}`, `${path}x`])
    await expectRefusal(wrong)
  await site.post(`/admin/users/${id}/suspension`)
  await expectRefusal(path)
  await site.post(`/admin/users/${id}/suspension`)
  await site.app.db
    .updateTable('admin_invitations')
    .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
    .execute()
  await expectRefusal(path)
  ;(await site.open(`/admin/users/${id}`)).getByText(/^Invitation expired/)
  assert.equal(new Set(answers).size, 1)
  const [answer = ''] = answers
  assert.equal(answer.slice(0, 4), '403 ')
  readPage(answer.slice(4)).getByText(/This invitation is no longer valid/)
})

test('the invitation is emailed if a mail server is set up, and the page shows failures', async (t) => {
  const mail = await startMailServer(t, { refusals: [{ code: 550 }] })
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' }
  const settings = { ...DEFAULT_SITE_SETTINGS, name: 'Lone Star Home Services' }
  const site = await startAdmin(t, {
    environment,
    prepare: ({ db }) => saveSiteSettings(db, settings, { now: new Date().toISOString() }),
  })
  const { page: invited, id } = await invite(site)
  invited.part('alert').getByText(/could not be sent/)
  const renewed = await readAnswer(await site.post(`/admin/users/${id}/invitation`))
  renewed.getByText('We emailed this link to bob@example.com.')
  const [sent] = mail.received
  assert.deepEqual(sent?.recipients, ['bob@example.com'])
  assert.match(sent.raw, /^Subject: Join Lone Star Home Services on Signpost\r?$/m)
  const text = sent.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  assert.match(text, /Ann Example \(ann@example\.com\)\s+invited\s+you/)
  assert.match(text, /runs the website of Lone Star Home Services \(127\.0\.0\.1:\d+\)/)
  assert.ok(text.includes(`${site.url}${pathIn(renewed, site)}`))
})
