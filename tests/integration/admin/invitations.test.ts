import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAdministrators } from '#src/auth/administrator-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { startMailServer } from '../../support/mail-server.ts'

const BOB = { email: 'bob@example.com', name: 'Bob' }
const PASSWORD = 'tangerine ladder fog'

/** The path of the link that a page shows once. */
function pathIn(html: string, { url }: AdminSite): string {
  const [, path] = new RegExp(`>${url}(/admin/invitation/[\\w-]{43})<`).exec(html) ?? []
  return path ?? assert.fail('The page shows no link')
}

async function invite(site: AdminSite) {
  const page = await site.post('/admin/users/new', BOB)
  assert.equal(page.status, 200)
  const html = await page.text()
  const bob = (await listAdministrators(site.app.db)).find(({ email }) => email === BOB.email)
  return { html, path: pathIn(html, site), id: bob?.id ?? 0 }
}

/** Asks as a browser that nobody is signed in to. */
function askAsStranger(site: AdminSite, path: string, fields?: Record<string, string>) {
  const body = fields && new URLSearchParams(fields)
  return site.fetch(path, { headers: { cookie: '' }, ...(body && { method: 'POST', body }) })
}

test('an invited user opens the link, chooses a password, and is signed in; the link is then used up', async (t) => {
  const site = await startAdmin(t)
  assert.doesNotMatch(await site.read('/admin/users/new'), /type="password"/)
  const { html, path, id } = await invite(site)
  assert.match(html, /Send this link to bob@example\.com/)
  const token = path.split('/').at(-1) ?? ''
  assert.match(await site.read('/admin/users'), />invited</)
  for (const page of ['/admin/users', `/admin/users/${id}`, '/admin/audit'])
    assert.ok(!(await site.read(page)).includes(token), page)

  const opened = await askAsStranger(site, path)
  assert.deepEqual([opened.status, opened.headers.get('referrer-policy')], [200, 'strict-origin'])
  assert.match(await opened.text(), /value="bob@example\.com"/)
  const weak = await askAsStranger(site, path, { password: 'password1234' })
  assert.equal(weak.status, 422)
  assert.match(await weak.text(), /easy to guess/)
  const accepted = await askAsStranger(site, path, { password: PASSWORD })
  assert.equal(accepted.headers.get('location'), '/admin')
  const cookie = accepted.headers.getSetCookie().find((text) => text.startsWith('signpost_session')) ?? ''
  const account = await site.fetch('/admin/account', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  assert.match(await account.text(), /bob@example\.com/)
  const signedIn = await askAsStranger(site, '/admin/login', { ...BOB, password: PASSWORD })
  assert.equal(signedIn.status, 303)

  const log = await site.read('/admin/audit')
  for (const sentence of ['Invited bob@example.com', 'Accepted the invitation'])
    assert.ok(log.includes(sentence), sentence)
  assert.equal((await site.fetch(`/admin/users/${id}/invitation`)).status, 404, 'there is none to renew')
})

test('used, replaced, expired, switched-off, and wrong links get the same answer', async (t) => {
  const site = await startAdmin(t)
  const { path: replaced, id } = await invite(site)
  assert.match(await site.read(`/admin/users/${id}`), new RegExp(`href="/admin/users/${id}/invitation"`))
  await site.read(`/admin/users/${id}/invitation`)
  assert.equal((await askAsStranger(site, replaced)).status, 200, 'looking renews nothing')
  const page = await site.post(`/admin/users/${id}/invitation`)
  const path = pathIn(await page.text(), site)
  assert.match(await site.read('/admin/audit'), /Renewed the invitation of bob@example\.com/)

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
  assert.match(await site.read(`/admin/users/${id}`), /Invitation expired/)
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0] ?? '', /^403 .*This invitation is no longer valid/s)
})

test('the link is mailed where a mail server is set up, and the page says when it could not be', async (t) => {
  const mail = await startMailServer(t, { refusals: [{ code: 550 }] })
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'site@example.com' }
  const site = await startAdmin(t, { environment })
  const { html, id } = await invite(site)
  assert.match(html, /could not be sent/)
  const renewed = await (await site.post(`/admin/users/${id}/invitation`)).text()
  assert.match(renewed, /We emailed this link to bob@example\.com/)
  const [sent] = mail.received
  assert.deepEqual(sent?.recipients, ['bob@example.com'])
  assert.match(sent.raw, /^Subject: Your invitation to 127\.0\.0\.1:\d+\r?$/m)
  const text = sent.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  assert.ok(text.includes(`${site.url}${pathIn(renewed, site)}`))
})
