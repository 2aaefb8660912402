import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { enter, hideOwnAddress, leave } from '#src/admin/access/entering.ts'
import { nameColleague } from '#src/admin/access/name-colleague.ts'
import { describeBrowser } from '#src/admin/account/describe-browser.ts'
import { receiveForm } from '#src/admin/kit/admin-form.ts'
import { firstOf } from '#src/admin/kit/capped-count.ts'
import { addMessage, redirectWithMessage, takeFlash } from '#src/admin/kit/flash.ts'
import { checkbox, emailAddress, optionalText, requiredText } from '#src/admin/kit/form-values.ts'
import { appOf, askForPassword, getAdministrator, leadsOf, safeNext } from '#src/admin/kit/page-context.ts'

/** A page with the cookies of its browser; the admin is at this address. */
function aPage(adminUrl = 'http://localhost', url = `${adminUrl}/admin`) {
  const jar = new Map<string, string>()
  const options = new Map<string, object>()
  const context = {
    url: new URL(url),
    locals: { app: { config: { adminUrl } } },
    cookies: {
      get: (name: string) => (jar.has(name) ? { value: jar.get(name) } : undefined),
      set(name: string, value: string, given: object) {
        jar.set(name, value)
        options.set(name, given)
      },
      delete(name: string, given: object) {
        jar.delete(name)
        options.set(name, given)
      },
    },
  } as unknown as Parameters<typeof takeFlash>[0]
  return { context, jar, options }
}

test('a message is shown once, by the next page', () => {
  const { context, jar } = aPage()
  assert.equal(takeFlash(context), undefined)
  const answer = redirectWithMessage(context, '/admin/inbox', { text: 'Saved.', undo: 3 })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/admin/inbox'])
  assert.deepEqual(takeFlash(context), { kind: 'success', text: 'Saved.', undo: 3 })
  assert.deepEqual([takeFlash(context), jar.size], [undefined, 0])
  addMessage(context, 'First.')
  addMessage(context, 'Second.')
  assert.deepEqual(takeFlash(context), { kind: 'success', text: 'First. Second.' })
})

test('a message that another site left is not shown', () => {
  const { context, jar } = aPage()
  for (const left of [
    'text',
    '{"kind":"danger","text":"a"}',
    '{"kind":"error","text":"a","undo":"x"}',
    ...['https://evil.example/admin', '/administration', '//evil.example'].map((href) =>
      JSON.stringify({ kind: 'error', text: 'a', links: [{ label: 'b', href }] }),
    ),
  ]) {
    jar.set('signpost_flash', left)
    assert.equal(takeFlash(context), undefined, left)
  }
})

test('the links of a message are few enough for a cookie', () => {
  const { context, jar } = aPage()
  const linksFor = (count: number, href = '/admin/entries/3', label = 'A') => {
    const links = Array.from({ length: count }, () => ({ label, href }))
    redirectWithMessage(context, '/admin', { text: 'Saved.', links })
    return takeFlash(context)?.links?.map((link) => link.label)
  }
  assert.deepEqual(linksFor(7), Array(5).fill('A'))
  assert.equal(linksFor(0), undefined)
  assert.deepEqual(linksFor(1, '/admin', 'x'.repeat(61)), [`${'x'.repeat(59)}…`])
  const long = linksFor(5, `/admin/${'x'.repeat(1_000)}`)
  assert.equal(long?.length, 3)
  // Half of a character can't be sent.
  redirectWithMessage(context, '/admin', { text: `${'x'.repeat(298)}😀😀` })
  assert.ok(jar.get('signpost_flash')?.isWellFormed())
  assert.match(takeFlash(context)?.text ?? '', /x😀…$/)
})

test('cookies over https can’t be set or read by another site', () => {
  const { context, options } = aPage('https://a.example')
  redirectWithMessage(context, '/admin', { text: 'Saved.' })
  const [[name, given] = []] = options
  assert.equal(name, '__Host-signpost_flash')
  assert.deepEqual(given, { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 60, secure: true })
  takeFlash(context)
  // Browsers delete it only with these.
  assert.deepEqual(options.get('__Host-signpost_flash'), { path: '/', secure: true })
  // On the machine itself, requests are plain.
  const local = aPage('https://a.example', 'http://127.0.0.1:4321/admin')
  redirectWithMessage(local.context, '/admin', { text: 'Saved.' })
  assert.partialDeepStrictEqual(Object.fromEntries(local.options), { signpost_flash: { secure: false } })
})

test('a session begins with two cookies and ends with none', () => {
  const { context, jar } = aPage()
  const begun = enter(context, { kind: 'signed_in', token: 'token', device: 'device' }, '/admin/inbox')
  assert.equal(begun.headers.get('location'), '/admin/inbox')
  assert.deepEqual(Object.fromEntries(jar), { signpost_session: 'token', signpost_browser: 'device' })
  const ended = leave(context)
  assert.equal(ended.headers.get('location'), '/admin/login')
  assert.equal(ended.headers.get('clear-site-data'), '"cache", "cookies", "storage"')
  assert.deepEqual([...jar.keys()], ['signpost_browser'])
  const { headers } = new Response()
  hideOwnAddress({ response: { headers } as never })
  assert.equal(headers.get('referrer-policy'), 'strict-origin')
})

test('a sign-in leads to no page outside the admin', () => {
  for (const next of ['/admin', '/admin/', '/admin/inbox?q=a%20b', '/admin?a=b', '/admin/a/../b'])
    assert.equal(safeNext(next), next)
  for (const next of [
    ...['', null, undefined, '/', '/administration', 'https://evil.example', '//evil.example/admin'],
    ...[
      '/admin/..',
      '/admin/..//evil.example',
      '/admin/../../x',
      '/admin/%2e%2e/x',
      '/admin\\evil',
      '/admin/a\\b',
      '/admin/../administration',
    ],
    ...['/admin/a\\..\\..\\b', '/admin/\nSet-Cookie: a=b', '/admin/é', 'x/admin', '/admin#a'],
  ])
    assert.equal(safeNext(next), '/admin', String(next))
})

test('the password is asked for again after 15 minutes, and leads back', () => {
  const now = new Date('2026-11-20T10:00:00.000Z')
  const ask = (passwordCheckedAt: string) => {
    const locals = { session: { passwordCheckedAt } } as never
    return askForPassword({ locals, url: new URL('http://localhost/admin/users/new?a=b&c') }, now)
  }
  assert.equal(ask('2026-11-20T09:50:00.000Z'), undefined)
  const asked = ask('2026-11-20T09:40:00.000Z')
  assert.deepEqual(
    [asked?.status, asked?.headers.get('location')],
    [303, '/admin/password-check?next=%2Fadmin%2Fusers%2Fnew%3Fa%3Db%26c'],
  )
})

test('a page gets what its user may see, and the running program', () => {
  const locals = { administrator: { id: 4 }, leads: { scope: 'all' }, app: { db: 'db' } } as never
  assert.deepEqual([leadsOf({ locals }), appOf({ locals })], [{ scope: 'all' }, { db: 'db' }])
})

test('a page without a user fails', () => {
  for (const read of [getAdministrator, leadsOf, appOf])
    assert.throws(() => read({ locals: {} } as never), /needs an administrator/)
})

test('users with limits don’t learn the addresses of colleagues', () => {
  const nameFor = (places: number[] | null, email: string) =>
    nameColleague(
      { locals: { administrator: { email: 'ann@example.com', limits: { places, forms: null } } } } as never,
      email,
    )
  assert.deepEqual(
    [nameFor(null, 'ben@example.com'), nameFor([1], 'ben@example.com'), nameFor([1], 'ann@example.com')],
    ['ben@example.com', 'a colleague', 'ann@example.com'],
  )
})

test('a form keeps what was typed, and shows the mistakes at the fields', async () => {
  const schema = z.object({ name: requiredText('Enter a name.', 5), note: optionalText() })
  const initial = { name: ' Ann ', based_on: 'v1' }
  const receive = async (body?: Record<string, string>) => {
    const response = { status: 200 }
    const request = new Request('http://localhost', {
      ...(body && { method: 'POST', body: new URLSearchParams(body) }),
    })
    const form = await receiveForm({ request, response } as never, schema, initial)
    return { form, response }
  }
  const shown = await receive()
  assert.deepEqual([shown.form.values, shown.form.input, shown.form.basedOn], [initial, undefined, 'v1'])
  const wrong = await receive({ name: 'Annabel', note: 'x' })
  assert.equal(wrong.response.status, 422)
  assert.deepEqual(wrong.form.errors, { name: ['Use at most 5 characters.'] })
  assert.deepEqual(
    [wrong.form.values.name, wrong.form.input, wrong.form.basedOn],
    ['Annabel', undefined, undefined],
  )
  wrong.form.fail('name', 'Taken.')
  assert.deepEqual(wrong.form.errors.name, ['Use at most 5 characters.', 'Taken.'])
  // A stored text that came back unchanged stays as it was.
  assert.deepEqual((await receive({ name: ' Ann ' })).form.input, { name: ' Ann ', note: null })
  assert.deepEqual((await receive({ name: ' Ben ' })).form.input, { name: 'Ben', note: null })
  const late = await receive({ name: 'Ben', based_on: 'v1' })
  late.form.outdate('page', 'v2')
  assert.deepEqual([late.response.status, late.form.basedOn], [409, 'v2'])
  assert.match(late.form.errors['']?.[0] ?? '', /^Someone else saved the page/)
})

test('values of forms are trimmed, and empty ones are none', () => {
  assert.deepEqual(
    [' a ', '', undefined, null].map((text) => optionalText().parse(text)),
    ['a', null, null, null],
  )
  assert.equal(requiredText('Enter a name.').parse(' a '), 'a')
  for (const empty of ['', ' ', undefined])
    assert.equal(requiredText('Enter a name.').safeParse(empty).error?.issues[0]?.message, 'Enter a name.')
  assert.equal(emailAddress.parse(' Ann@Example.com '), 'ann@example.com')
  assert.match(emailAddress.safeParse('ann').error?.issues[0]?.message ?? '', /such as ann@example\.com/)
  assert.deepEqual([checkbox.parse('on'), checkbox.parse(undefined)], [true, false])
})

test('a long list names its first eight', () => {
  assert.equal(firstOf([...'abcdefgh']), 'a, b, c, d, e, f, g, h')
  assert.equal(firstOf([...'abcdefghi']), 'a, b, c, d, e, f, g, h …')
})

test('a session names its browser and system', () => {
  const of = (...parts: string[]) => describeBrowser(`Mozilla/5.0 ${parts.join(' ')}`)
  for (const [described, name] of [
    [of('(Windows NT 10.0)', 'Chrome/120 Safari/537 Edg/120'), 'Edge on Windows'],
    [of('(Windows NT 10.0)', 'Chrome/120 Safari/537 OPR/100'), 'Opera on Windows'],
    [of('(X11; Linux x86_64)', 'Firefox/140.0'), 'Firefox on Linux'],
    [of('(Linux; Android 14)', 'Chrome/120 Safari/537'), 'Chrome on Android'],
    [of('(iPhone; CPU iPhone OS 17 like Mac OS X)', 'CriOS/120 Safari/604'), 'Chrome on iPhone'],
    [of('(iPad; CPU OS 17 like Mac OS X)', 'FxiOS/120 Safari/604'), 'Firefox on iPad'],
    [of('(Macintosh; Intel Mac OS X 14)', 'Version/17 Safari/605'), 'Safari on macOS'],
    [of('(Macintosh; Intel Mac OS X 14)'), 'Unknown browser on macOS'],
    [of('curl'), 'Unknown browser'],
  ] as const)
    assert.equal(described, name)
})
