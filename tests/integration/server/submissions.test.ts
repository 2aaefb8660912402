import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }
const JSON_TYPE = { 'content-type': 'application/json' }
const PROGRAM = { accept: 'application/json' }
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const urlencoded = (values: Record<string, string>) => new URLSearchParams(values).toString()

async function isProblem(response: Response, status: number, title: string) {
  assert.deepEqual(
    [response.status, response.headers.get('content-type')],
    [status, 'application/problem+json'],
  )
  assert.partialDeepStrictEqual(await response.json(), { status, title })
}

async function isPage(response: Response, status: number, title: string) {
  assert.equal(response.status, status)
  assert.match(await response.text(), new RegExp(`<h1[^>]*>\\s*${title}[\\s\\S]*<footer`))
}

test('§5 each row of the contract’s response table', async (t) => {
  const box = (name: string, default_value: string | null) => ({
    ...{ type: 'checkbox' as const, label: name, name, default_value },
  })
  const boxes = [box('a', 'yes'), box('b', '1'), box('c', 'true'), box('d', 'no'), box('e', null)]
  const { app, url } = await startFront(t, {
    prepare: ({ db }) => storeForm(db, 'boxes', { fields: boxes }),
  })
  const post = (body: string, headers: Record<string, string>, form = 'waitlist') =>
    fetch(`${url}/api/forms/${form}/submissions`, { method: 'POST', body, headers, redirect: 'manual' })
  const fromProgram = (values: object, form?: string) => post(JSON.stringify(values), JSON_TYPE, form)
  const fromBrowser = (values: Record<string, string>, form?: string) =>
    post(urlencoded(values), { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' }, form)
  const fromReader = (values: Record<string, string>) =>
    post(urlencoded(values), { ...PROGRAM, 'content-type': 'application/x-www-form-urlencoded' })
  const stored = () => app.db.selectFrom('form_submissions').selectAll().orderBy('id').execute()

  await t.test('accepted, program: 201 with the ID and the success text', async () => {
    const response = await fromProgram(ANSWERS)
    const body = await response.json()
    assert.equal(response.status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'form', 'status', 'success'])
    assert.deepEqual([body.form, body.status], ['waitlist', 'accepted'])
    assert.deepEqual(body.success, {
      heading: 'You are on the list',
      body: '<p>Thank you. We will write to you as soon as there is a place.</p>',
      redirect_url: null,
    })
    assert.equal(body.id, (await stored()).at(-1)?.id)
  })

  await t.test('accepted, browser: 303 to the thanks page; §2.4 answers only in data_json', async () => {
    const response = await fromBrowser({ ...ANSWERS, unknown: 'x', _page: '/services/ac-repair/austin' })
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/forms/waitlist/thanks'])
    const row = (await stored()).at(-1)
    assert.deepEqual(JSON.parse(row?.data_json ?? ''), {
      ...ANSWERS,
      clients_managed: null,
      bottleneck: null,
    })
    assert.deepEqual(
      [row?.full_name, row?.email, row?.service_slug, row?.location_slug],
      [null, null, 'ac-repair', 'austin'],
    )
    assert.equal(row?.location_path, 'usa/texas/austin')
  })

  await t.test(
    'urlencoded and Accept of JSON, or a JSON body and Accept of HTML: as for programs',
    async () => {
      const _id = randomUUID()
      const accepted = await fromReader({ ...ANSWERS, _id })
      const first = await accepted.json()
      assert.equal(accepted.status, 201)
      const repeated = await fromReader({ ...ANSWERS, _id })
      assert.deepEqual([repeated.status, await repeated.json()], [200, first])
      const decoy = await fromReader({ ...ANSWERS, website: 'x' })
      assert.deepEqual(
        [decoy.status, await decoy.json()],
        [201, { ...first, id: (await stored()).at(-1)?.id }],
      )
      const invalid = await fromReader({ ...ANSWERS, email: 'nope' })
      assert.deepEqual(
        [invalid.status, invalid.headers.get('content-type')],
        [422, 'application/problem+json'],
      )
      const body = await post(JSON.stringify({ ...ANSWERS, _id }), { ...JSON_TYPE, ...BROWSER })
      assert.deepEqual([body.status, await body.json()], [200, first])
    },
  )

  await t.test('accepted: redirects to redirect_url, else to success_redirect', async () => {
    const before = await app.db.selectFrom('forms').select('settings_json').executeTakeFirstOrThrow()
    const store = async (settings_json: string | null) => {
      await app.db.updateTable('forms').set({ settings_json }).execute()
      app.desk.invalidate()
    }
    const success_redirect = 'https://www.example.com/done'
    for (const [settings, target] of [
      [{ success_redirect, redirect_url: '/services?from=form' }, '/services?from=form'],
      [{ success_redirect, redirect_url: null }, success_redirect],
    ] as const) {
      await store(JSON.stringify(settings))
      const browser = await fromBrowser(ANSWERS)
      assert.deepEqual([browser.status, browser.headers.get('location')], [303, target])
      assert.equal((await (await fromProgram(ANSWERS)).json()).success.redirect_url, target)
    }
    await store(before.settings_json)
  })

  await t.test('the same _id again: 200 with the first answer, 303 for browsers, one row', async () => {
    const _id = randomUUID()
    const first = await (await fromProgram({ ...ANSWERS, _id })).json()
    const count = (await stored()).length
    const again = await fromProgram({ ...ANSWERS, _id, role: 'other' })
    assert.equal(again.status, 200)
    assert.deepEqual(await again.json(), first)
    assert.equal((await fromBrowser({ ...ANSWERS, _id })).status, 303)
    assert.equal((await stored()).length, count)
  })

  await t.test('decoy filled: exactly as accepted, kept as spam', async () => {
    const response = await fromProgram({ ...ANSWERS, website: 'https://spam.example' })
    assert.equal(response.status, 201)
    const row = (await stored()).at(-1)
    assert.equal((await response.json()).id, row?.id)
    assert.equal(row?.status, 'spam')
    assert.equal(
      (await fromBrowser({ ...ANSWERS, website: 'x' })).headers.get('location'),
      '/forms/waitlist/thanks',
    )
  })

  await t.test('accepted, with an invalid stored redirect: as without one', async () => {
    const before = await app.db.selectFrom('forms').select('settings_json').executeTakeFirstOrThrow()
    const settings_json = JSON.stringify({ redirect_url: 'https://[' })
    await app.db.updateTable('forms').set({ settings_json }).execute()
    app.desk.invalidate()
    assert.equal((await fromBrowser(ANSWERS)).headers.get('location'), '/forms/waitlist/thanks')
    const program = await fromProgram(ANSWERS)
    assert.deepEqual([program.status, (await program.json()).success.redirect_url], [201, null])
    await app.db.updateTable('forms').set(before).execute()
    app.desk.invalidate()
  })

  await t.test('answers invalid, program: 422 problem+json by field', async () => {
    const response = await fromProgram({ ...ANSWERS, email: 'nope', role: '' })
    assert.equal(response.status, 422)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual(await response.json(), {
      title: 'Please check your answers',
      status: 422,
      errors: { email: ['Enter an email address such as name@example.com'], role: ['Fill in this field'] },
    })
  })

  await t.test(
    'answers invalid, browser: 422 and the form again in the layout, values kept and escaped',
    async () => {
      const response = await fromBrowser({ ...ANSWERS, full_name: '"><b>Ann', email: 'nope' })
      const html = await response.text()
      assert.equal(response.status, 422)
      assert.match(html, /role="alert"/)
      assert.match(html, /href="#waitlist-email"/)
      assert.match(html, /aria-invalid="true"/)
      // Inside an attribute only the quote has to be escaped.
      assert.match(html, /value="&(quot|#34);(&gt;|>)(&lt;|<)b(&gt;|>)Ann"/)
      assert.match(html, /<textarea[^>]*><\/textarea>/)
      assert.match(html, /<footer/)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    },
  )

  await t.test(
    'a box starts ticked with each default answer that a visitor’s ticked box could send',
    async () => {
      const html = await (await fetch(`${url}/forms/boxes`)).text()
      const inputs = [...html.matchAll(/<input[^>]* name="([a-e])"[^>]*>/g)]
      const ticked = inputs.filter(([input]) => / checked/.test(input)).map(([, name]) => name)
      assert.deepEqual([inputs.length, ticked], [5, ['a', 'b', 'c']])
    },
  )

  const urlencodedType = 'application/x-www-form-urlencoded'
  const refused: [string, { body: string; type: string; form?: string }, number][] = [
    ['a body that is not UTF-8', { body: 'full_name=%FF', type: urlencodedType }, 400],
    ['a multipart body without a boundary', { body: 'x', type: 'multipart/form-data' }, 400],
    ['a body over the limit', { body: 'x'.repeat(70_000), type: urlencodedType }, 413],
    ['another content type', { body: '<a/>', type: 'text/xml' }, 415],
    ['an unknown form', { body: urlencoded(ANSWERS), type: urlencodedType, form: 'nobody' }, 404],
  ]
  for (const [name, { body, type, form }, status] of refused) {
    await t.test(
      `${name}: ${status}, problem+json for a program, a page in the layout for a browser`,
      async () => {
        const program = await post(body, { 'content-type': type, accept: 'application/json' }, form)
        assert.equal(program.status, status)
        assert.equal(program.headers.get('content-type'), 'application/problem+json')
        assert.equal((await program.json()).status, status)
        const browser = await post(body, { ...BROWSER, 'content-type': type }, form)
        assert.equal(browser.status, status)
        assert.match(await browser.text(), /<h1[\s\S]*<footer/)
      },
    )
  }

  await t.test('invalid or nested JSON: 400', async () => {
    for (const body of ['{', '{"role":{"a":1}}', '[]'])
      assert.equal((await post(body, JSON_TYPE)).status, 400)
  })

  await t.test('§3 a draft form is 404, an archived one 410', async () => {
    for (const [status, expected] of [
      ['draft', 404],
      ['archived', 410],
    ] as const) {
      await app.db.updateTable('forms').set({ status }).execute()
      app.desk.invalidate()
      const title = status === 'draft' ? 'This form does not exist' : 'This form is closed'
      await isProblem(await fromProgram(ANSWERS), expected, title)
      await isProblem(await fetch(`${url}/api/forms/waitlist`, { headers: PROGRAM }), expected, title)
      await isPage(await fromBrowser(ANSWERS), expected, title)
    }
    await app.db.updateTable('forms').set({ status: 'active' }).execute()
    app.desk.invalidate()
  })

  await t.test('the public definition has fields but no webhooks or addresses', async () => {
    const body = await (await fetch(`${url}/api/forms/waitlist`)).json()
    assert.equal(body.fields.length, 6)
    assert.doesNotMatch(JSON.stringify(body), /webhook|notification_email|honeypot|secret/)
  })

  await t.test('a post from another website is refused and stores nothing', async () => {
    const count = (await stored()).length
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      assert.equal((await post(JSON.stringify(ANSWERS), { ...JSON_TYPE, ...headers })).status, 403)
    }
    assert.equal((await post(JSON.stringify(ANSWERS), { ...JSON_TYPE, origin: url })).status, 201)
    assert.equal((await stored()).length, count + 1)
  })

  await t.test('storage locked: 503 with Retry-After, and the next try is accepted', async () => {
    const other = new SqliteDatabase(join(app.config.dataDir, 'signpost.db'))
    other.exec('begin immediate')
    const answers = await Promise.all([fromProgram(ANSWERS), fromBrowser(ANSWERS)])
    for (const { headers } of answers) assert.equal(headers.get('retry-after'), '5')
    await isProblem(answers[0], 503, 'We could not save your answers')
    await isPage(answers[1], 503, 'We could not save your answers')
    other.exec('rollback')
    other.close()
    assert.equal((await fromProgram(ANSWERS)).status, 201)
  })

  await t.test('storage unavailable during a form lookup: 503 with Retry-After', async () => {
    const failure = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
    const broken = t.mock.method(app.db.getExecutor(), 'executeQuery', () => Promise.reject(failure))
    const answer = await fetch(`${url}/api/forms/waitlist`, { headers: PROGRAM })
    broken.mock.restore()
    assert.equal(answer.headers.get('retry-after'), '5')
    await isProblem(answer, 503, 'This form is temporarily unavailable')
  })
})
