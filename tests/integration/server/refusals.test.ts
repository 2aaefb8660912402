import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { updateTwoStepRequired } from '#src/auth/two-factor-settings-store.ts'
import { confirmTotp } from '#src/auth/two-factor-store.ts'
import { ADMINISTRATOR, startAdmin } from '../../support/admin.ts'

/** A site, and the codes of the refusals in its log since they were last taken. */
async function startLogged(t: TestContext, environment: Record<string, string> = {}) {
  const lines: string[] = []
  const site = await startAdmin(t, { environment, onLogLine: (line) => lines.push(line) })
  const takeCodes = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'refused')
      .map(({ code, client }) => `${code} ${client}`)
  const expectCodes = async (work: () => Promise<unknown>, ...codes: string[]) => {
    lines.length = 0
    await work()
    assert.deepEqual(
      takeCodes(),
      codes.map((code) => `${code} 127.0.0.1`),
    )
  }
  return { site, lines, expectCodes }
}

const POSTS = '/api/forms/waitlist/submissions'
const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

test('V16.3.1 failed sign-ins, wrong codes, and limits are logged without account or password', async (t) => {
  const { site, lines, expectCodes } = await startLogged(t)
  const seen: string[] = []
  const post = async (path: string, fields: Record<string, string>, cookie = '') => {
    const body = new URLSearchParams(fields)
    const answer = await site.fetch(path, { method: 'POST', headers: { cookie }, body })
    seen.push(...lines)
    return answer
  }
  const wrong = { email: ADMINISTRATOR.email, password: 'a wrong password' }
  await expectCodes(() => post('/admin/login', wrong), 'sign_in_failed')
  await expectCodes(() => site.post('/admin/password-check', wrong), 'password_check_failed')
  const change = { current: wrong.password, password: 'seven purple otters juggle' }
  await expectCodes(() => site.post('/admin/account/password', change), 'password_check_failed')
  await confirmTotp(site.app.db, site.administratorId, { now: new Date() })
  const half = await post('/admin/login', ADMINISTRATOR)
  const ticket = half.headers.getSetCookie().find((text) => text.startsWith('signpost_ticket')) ?? ''
  const code = () => post('/admin/login/code', { code: '123456' }, ticket.split(';')[0])
  await expectCodes(code, 'second_factor_failed')
  await expectCodes(
    async () => {
      for (let time = 0; time < 4; time += 1) await post('/admin/login', wrong)
    },
    ...['sign_in_failed', 'sign_in_failed', 'sign_in_failed', 'sign_in_limited'],
  )
  await expectCodes(() => post('/admin/setup?code=guessed', {}), 'setup_refused')
  await expectCodes(() => post('/admin/invitation/guessed', {}), 'invitation_refused')
  await expectCodes(() => post('/admin/password-reset/guessed', {}), 'reset_refused')
  for (const secret of [wrong.email, wrong.password, 'guessed', '123456', 'battery'])
    assert.ok(!String(seen).includes(secret), secret)
  assert.ok(seen.length > 0)
})

test('V16.3.2 requests refused by the admin’s guard are logged', async (t) => {
  const { site, expectCodes } = await startLogged(t)
  const anonymous = { headers: { cookie: '' } }
  await expectCodes(() => site.read('/admin/inbox'))
  await expectCodes(() => site.fetch('/admin/inbox', anonymous), 'not_signed_in')
  await expectCodes(() => site.fetch('/admin/theme', { ...anonymous, method: 'POST' }), 'not_signed_in')
  await expectCodes(() => site.post('/admin/deliveries'), 'request_refused')
  const old = new Date(Date.now() - 16 * 60_000).toISOString()
  await site.app.db.updateTable('admin_sessions').set({ password_checked_at: old }).execute()
  await expectCodes(() => site.fetch('/admin/inbox/export.csv'), 'password_stale')
  await updateTwoStepRequired(site.app.db, true)
  await expectCodes(() => site.fetch('/admin/inbox'), 'second_factor_missing')
})

test('V16.3.2 clients outside ADMIN_ALLOW are logged', async (t) => {
  const { site, expectCodes } = await startLogged(t, { ADMIN_ALLOW: '192.0.2.0/24' })
  await expectCodes(() => site.fetch('/admin/login'), 'forbidden')
  await expectCodes(() => site.fetch('/services'))
})

test('V16.3.3 foreign hosts and origins, unknown methods, oversize bodies, and limits are logged', async (t) => {
  const { site, expectCodes } = await startLogged(t, { RATE_LIMIT: '1/min' })
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } }
  await expectCodes(() => site.fetch('/admin/login', foreign), 'origin_refused')
  await expectCodes(() => site.fetch('/', { method: 'DELETE' }), 'request_refused')
  await expectCodes(() => site.post('/services'), 'request_refused')
  await expectCodes(async () => {
    const asked = request({ port: site.port, host: '127.0.0.1', headers: { host: 'evil.example' } }).end()
    const [answer] = await once(asked, 'response')
    answer.resume()
  }, 'host_refused')
  await expectCodes(() => site.post('/admin/login', { email: 'x'.repeat(1_100_000) }), 'too_large')
  await expectCodes(() => site.post('/admin/login', { email: Array(10_001).fill('') }), 'too_large')

  await expectCodes(() => site.post(POSTS, { full_name: 'x'.repeat(70_000) }), 'too_large')
  await expectCodes(() => site.post(POSTS, { email: 'a mistake of a visitor' }))
  await expectCodes(() => site.post(POSTS, ANSWERS))
  await expectCodes(() => site.post(POSTS, ANSWERS), 'post_limited')
  const forms = site.app.db.selectFrom('forms').select('id').where('slug', '=', 'waitlist')
  const { id } = await forms.executeTakeFirstOrThrow()
  await site.app.postLimits?.takeUpload(id, '127.0.0.1', 512 * 1024 * 1024)
  const body = new FormData()
  body.append('full_name', 'Ann')
  await expectCodes(() => site.fetch(POSTS, { method: 'POST', body }), 'upload_limited')
})
