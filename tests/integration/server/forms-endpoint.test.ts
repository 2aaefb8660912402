import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { Form } from '#src/forms/form.ts'
import { createFormsSender } from '#src/server/forms/answer-forms.ts'
import { createFormsEndpoint } from '#src/server/forms/forms-endpoint.ts'
import type { SubmissionOutcome } from '#src/submissions/submission.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { type FormFile, storeForm } from '../../support/forms.ts'

type App = Parameters<typeof createFormsEndpoint>[0]
type Accepted = {
  values: Record<string, unknown>
  address: string | undefined
  cameFrom: unknown
  files: object & { folder?: string }
}

const SUBMISSIONS = '/api/forms/quote/submissions'
const JSON_TYPE = 'application/json'

/** The endpoint of forms over a form `quote`; the desk's outcome is given. */
async function someForms(t: TestContext, file: FormFile = {}, { trustedProxies = 0 } = {}) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const form = await storeForm(db, 'quote', file)
  let outcome: SubmissionOutcome | Error = { kind: 'not_found' }
  let found: Form | Error | undefined = form
  const accepted: Accepted[] = []
  const noted: string[] = []
  const taken: unknown[] = []
  let room: object = { kind: 'taken', settle: (bytes: number) => taken.push(bytes) }
  // A commit whose answer is lost stores the rows and fails.
  let stores = false
  async function storeRow(folder: string) {
    const lead = { id: 9, form_id: form.id, submitted_at: '2026-11-20T10:00:00.000Z', data_json: '{}' }
    await db.insertInto('form_submissions').values(lead).execute()
    const about = { field_name: 'cv', name: 'cv.txt', size: 5, type: 'text/plain' }
    const place = { submission_id: lead.id, folder, file: '1', created_at: lead.submitted_at }
    await db
      .insertInto('uploads')
      .values({ ...about, ...place })
      .execute()
  }
  const unless = <T>(given: T | Error): T => {
    if (given instanceof Error) throw given
    return given
  }
  const app = {
    ...{ db, promptDb: db, files: openDiskFiles(dataDir) },
    config: { siteUrl: 'https://a.example', dataDir, trustedProxies },
    refusals: { note: (code: string) => noted.push(code) },
    log: {
      warn: (message: string) => noted.push(message),
      error: (_: object, message: string) => noted.push(message),
    },
    proofOfWork: { issue: async (slug: string) => ({ challenge: slug }) },
    postLimits: {
      async takeUpload(...asked: unknown[]) {
        taken.push(asked)
        return room
      },
    },
    desk: {
      async accept(slug: string, values: Record<string, unknown>, { address, cameFrom, files }: Accepted) {
        assert.equal(slug, 'quote')
        accepted.push({ values: { ...values }, address, cameFrom, files })
        if (stores && files?.folder) await storeRow(files.folder)
        return unless(outcome)
      },
      findForm: async () => unless(found),
      findAskedForm: async (asked: Form) => asked,
    },
  }
  let renders = true
  const render = async ({ path, view }: { path: string; view: object }) => {
    if (!renders) throw new Error('no page')
    return `${path} ${JSON.stringify(view)}`
  }
  const endpoint = createFormsEndpoint(
    app as unknown as App,
    render as Parameters<typeof createFormsEndpoint>[1],
  )
  const fail = async (_: unknown, error: unknown) => ({ status: 500, headers: {}, body: String(error) })
  const url = await serveEndpoint(t, createFormsSender(endpoint, { fail }))
  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(url + path, { redirect: 'manual', ...init })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
  }
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    ask(SUBMISSIONS, { method: 'POST', body, headers })
  const set = (given: {
    outcome?: typeof outcome
    found?: typeof found
    room?: object
    renders?: boolean
    stores?: boolean
  }) => {
    if (given.outcome) outcome = given.outcome
    if ('found' in given) found = given.found
    room = given.room ?? room
    renders = given.renders ?? renders
    stores = given.stores ?? stores
  }
  const take = () => ({ accepted: accepted.splice(0), noted: noted.splice(0), taken: taken.splice(0) })
  return { db, dataDir, form, url, ask, post, set, take }
}

test('each form has a definition, a challenge if it needs one, and takes posts', async (t) => {
  const { db, ask, take } = await someForms(t, { settings: { anti_spam: { proof_of_work: true } } })
  await storeForm(db, 'plain')
  const closed = await storeForm(db, 'closed', { settings: { anti_spam: { proof_of_work: true } } })
  await db.updateTable('forms').set({ status: 'archived' }).where('id', '=', closed.id).execute()
  const shown = await ask('/api/forms/quote?a=b')
  assert.deepEqual(
    [shown.status, shown.headers.get('content-type')],
    [200, 'application/json; charset=utf-8'],
  )
  assert.equal(shown.json().slug, 'quote')
  assert.deepEqual((await ask('/api/forms/quote/challenge')).json(), { challenge: 'quote' })
  assert.equal((await ask('/api/forms/quote', { method: 'HEAD' })).status, 200)
  const json = { headers: { accept: JSON_TYPE } }
  for (const [path, status, title] of [
    ['/api/forms/none', 404, 'This form does not exist'],
    ['/api/forms/none/challenge', 404, 'This form does not exist'],
    ['/api/forms/plain/challenge', 404, 'This form does not exist'],
    ['/api/forms/closed/challenge', 404, 'This form does not exist'],
    ['/api/forms/closed', 410, 'This form is closed'],
    ['/api/forms/quote/other', 404, 'This form does not exist'],
    ['/api/forms/Quote', 404, 'This form does not exist'],
    [`/api/forms/${'a'.repeat(81)}`, 404, 'This form does not exist'],
    ['/a/api/forms/quote', 404, 'This form does not exist'],
  ] as const) {
    const answer = await ask(path, json)
    assert.deepEqual([answer.status, answer.json().title], [status, title], path)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  }
  for (const [path, method, allow] of [
    [SUBMISSIONS, 'GET', 'POST'],
    ['/api/forms/quote', 'POST', 'GET, HEAD'],
    ['/api/forms/quote/challenge', 'POST', 'GET, HEAD'],
  ] as const) {
    const answer = await ask(path, { ...json, method })
    const title = `This address accepts only ${allow}.`
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], path)
    assert.deepEqual(answer.json(), { title, status: 405 })
  }
  assert.deepEqual(take().noted, [])
})

test('a post is read with its sender, and refused where it can’t be', async (t) => {
  const { form, post, set, take } = await someForms(t)
  set({ outcome: { kind: 'accepted', id: 7, submittedAt: '2026', form } })
  const headers = { accept: JSON_TYPE, referer: 'https://b.example/', 'sec-gpc': '1' }
  await post(new URLSearchParams({ answer: 'a' }), headers)
  await post('{"answer":"b"}', { 'content-type': JSON_TYPE, 'sec-gpc': '0' })
  const { accepted } = take()
  assert.deepEqual(accepted, [
    {
      ...{ values: { answer: 'a' }, address: '127.0.0.1', files: undefined },
      cameFrom: { referrer: 'https://b.example/', isPrivate: true },
    },
    {
      ...{ values: { answer: 'b' }, address: '127.0.0.1', files: undefined },
      cameFrom: { referrer: undefined, isPrivate: false },
    },
  ])
  for (const [body, given, status, title, code] of [
    ['{', { 'content-type': JSON_TYPE }, 400, 'The form could not be read', 'request_refused'],
    ['a', { 'content-type': 'text/x' }, 415, 'This format is not supported', 'request_refused'],
    ['a=b', { 'content-encoding': 'gzip' }, 415, 'This format is not supported', undefined],
    [`a=${'b'.repeat(65_535)}`, {}, 413, 'Your answers are too long', 'too_large'],
    ['a=b&'.repeat(2_001), {}, 413, 'Your submission is too large', 'too_large'],
  ] as const) {
    const type = { 'content-type': 'application/x-www-form-urlencoded', accept: JSON_TYPE }
    const answer = await post(body, { ...type, ...given })
    assert.deepEqual([answer.status, answer.json().title], [status, title])
    assert.deepEqual(take(), { accepted: [], noted: code ? [code] : [], taken: [] }, title)
  }
  const unreadable = await post('{', { 'content-type': JSON_TYPE })
  assert.equal(unreadable.json().detail, 'The body is not a JSON object.')
  const mixed = await post('a', { 'content-type': 'text/x; of=application/json' })
  assert.match(mixed.headers.get('content-type') ?? '', /^text\/html/, 'no program')
  take()
  await post('a=b', { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'Identity' })
  assert.equal(take().accepted.length, 1)
})

test('an ignored proxy is logged once', async (t) => {
  const { post, take } = await someForms(t)
  for (let time = 0; time < 2; time += 1)
    await post(new URLSearchParams(), { 'x-forwarded-for': '198.51.100.1' })
  const { noted, accepted } = take()
  assert.deepEqual([noted.length, accepted[0]?.address], [1, '127.0.0.1'])
  const trusting = await someForms(t, {}, { trustedProxies: 1 })
  await trusting.post(new URLSearchParams(), { 'x-forwarded-for': '198.51.100.1' })
  const trusted = trusting.take()
  assert.deepEqual([trusted.noted, trusted.accepted[0]?.address], [[], '198.51.100.1'])
})

test('a program gets each outcome as JSON', async (t) => {
  const { form, post, set, take } = await someForms(t)
  const done = { id: 7, submittedAt: '2026', form }
  const empty = new URLSearchParams()
  const program = { accept: JSON_TYPE }
  for (const [outcome, status, body, headers, code] of [
    [{ kind: 'accepted', ...done }, 201, { id: 7, form: 'quote', status: 'accepted' }, {}, undefined],
    [{ kind: 'repeated', ...done }, 200, { id: 7, form: 'quote', status: 'accepted' }, {}, undefined],
    [
      { kind: 'not_found' },
      404,
      { title: 'This form does not exist', detail: 'Check the form’s address.' },
      {},
      undefined,
    ],
    [{ kind: 'gone' }, 410, { title: 'This form is closed' }, {}, undefined],
    [
      { kind: 'too_many', retryAfterSeconds: 60 },
      429,
      { title: 'Too many submissions' },
      { 'retry-after': '60' },
      'post_limited',
    ],
    [
      { kind: 'unavailable' },
      503,
      { title: 'We could not save your answers' },
      { 'retry-after': '5' },
      undefined,
    ],
    [
      { kind: 'unavailable', mayBeStored: true },
      503,
      { title: 'We could not confirm that your answers were saved' },
      { 'retry-after': '5' },
      undefined,
    ],
    [
      { kind: 'invalid', form, errors: { answer: ['Wrong'] }, values: { answer: 'x' } },
      422,
      { title: 'Please check your answers', status: 422, errors: { answer: ['Wrong'] } },
      {},
      undefined,
    ],
  ] as const) {
    set({ outcome: outcome as unknown as SubmissionOutcome })
    const answer = await post(empty, program)
    assert.equal(answer.status, status, outcome.kind)
    assert.partialDeepStrictEqual(answer.json(), body)
    for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers.get(name), value)
    assert.deepEqual(take().noted, code ? [code] : [])
    if (outcome.kind === 'invalid') assert.equal('detail' in answer.json(), false)
  }
})

test('a browser gets each outcome as a page or a redirect', async (t) => {
  const { form, post, set, take } = await someForms(t)
  const done = { id: 7, submittedAt: '2026', form }
  const empty = new URLSearchParams()
  const browser = { accept: 'text/html,application/json' }
  for (const kind of ['accepted', 'repeated'] as const) {
    set({ outcome: { kind, ...done } })
    const { status, headers } = await post(empty, browser)
    assert.deepEqual(
      [status, headers.get('location'), headers.get('cache-control')],
      [303, '/forms/quote/thanks', 'no-store'],
    )
  }
  for (const [outcome, status, path, said] of [
    [{ kind: 'unavailable' }, 503, '/form-problem', 'We could not save your answers'],
    [{ kind: 'unavailable' }, 503, '/form-problem', 'We could not save your answers'],
    [{ kind: 'not_found' }, 404, '/form-problem', 'This form does not exist'],
    [{ kind: 'invalid', form, errors: { answer: ['Wrong'] }, values: {} }, 422, '/forms/quote', 'Wrong'],
  ] as const) {
    set({ outcome: outcome as unknown as SubmissionOutcome })
    const page = await post(empty, browser)
    assert.deepEqual([page.status, page.headers.get('content-type')], [status, 'text/html; charset=utf-8'])
    assert.ok(page.text.startsWith(`${path} `), page.text.slice(0, 99))
    assert.ok(page.text.includes(said), said)
  }
  set({ outcome: { kind: 'gone' }, renders: false })
  const text = await post(empty)
  assert.equal(text.text, 'This form is closed. The form no longer accepts submissions.\n')
  assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(take().noted.length, 1)
  set({ outcome: new Error('broken') })
  assert.deepEqual([(await post(empty)).status, (await post(empty)).text], [500, 'Error: broken'])
  set({ outcome: Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }) })
  const away = await post(empty, { accept: JSON_TYPE })
  assert.deepEqual(
    [away.status, away.json().title, away.headers.get('retry-after')],
    [503, 'This form is temporarily unavailable', '5'],
  )
})

test('a stored post leads to the page or address of its form', async (t) => {
  const { form, post, set } = await someForms(t)
  for (const [settings, location, redirectUrl] of [
    [{ success_redirect: '/danke schön?a=b#c' }, '/danke%20sch%C3%B6n?a=b#c', '/danke schön?a=b#c'],
    [{ redirect_url: 'https://b.example' }, 'https://b.example/', 'https://b.example'],
    [
      { redirect_url: 'https://b.example/a', success_redirect: '/c' },
      'https://b.example/a',
      'https://b.example/a',
    ],
    [{ redirect_url: 'https://[', success_redirect: '/c' }, '/c', '/c'],
    [{ redirect_url: null, success_redirect: null }, '/forms/quote/thanks', null],
  ] as const) {
    const stored = { ...form, settings } as unknown as Form
    set({ outcome: { kind: 'accepted', id: 1, submittedAt: '', form: stored } })
    const body = new URLSearchParams()
    assert.equal((await post(body)).headers.get('location'), location)
    const { success } = (await post(body, { accept: JSON_TYPE })).json()
    assert.deepEqual([success.heading, success.redirect_url], ['Thank you', redirectUrl])
  }
  const named = { ...form, settings: { success_heading: 'Danke' } } as unknown as Form
  set({ outcome: { kind: 'accepted', id: 1, submittedAt: '', form: named } })
  const json = { 'content-type': 'Application/JSON; charset=utf-8' }
  assert.equal((await post('{}', json)).json().success.heading, 'Danke')
})

const FILE_FORM: FormFile = {
  fields: [{ name: 'cv', label: 'CV', type: 'file', validation: { max_size: 1024 * 1024 } } as never],
}

function withFile(text = 'bytes', field = 'cv') {
  const body = new FormData()
  body.append('name', 'Ann')
  body.append(field, new Blob([text], { type: 'text/plain' }), 'cv.txt')
  return body
}

test('files of a post are kept only if it was stored', async (t) => {
  const { dataDir, form, post, set, take } = await someForms(t, FILE_FORM)
  const left = () => {
    const folder = join(dataDir, 'uploads/tmp')
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  const program = { accept: JSON_TYPE }
  set({ outcome: { kind: 'accepted', id: 7, submittedAt: '', form } })
  assert.equal((await post(withFile(), program)).status, 201)
  const { accepted, taken, noted } = take()
  assert.equal(accepted[0]?.values.name, 'Ann')
  assert.partialDeepStrictEqual(accepted[0]?.files, { byField: { cv: [{ name: 'cv.txt', size: 5 }] } })
  const [[formId, address, announced] = [], received] = taken as [unknown[], number]
  assert.deepEqual([formId, address, received === announced], [form.id, '127.0.0.1', true])
  assert.deepEqual([left(), noted], [1, []])
  for (const [outcome, status, kept] of [
    [{ kind: 'invalid', form, errors: {}, values: {} }, 422, 0],
    [{ kind: 'repeated', id: 7, submittedAt: '', form }, 200, 0],
    [{ kind: 'unavailable' }, 503, 0],
    [{ kind: 'unavailable', mayBeStored: true }, 503, 1],
  ] as const) {
    const before = left()
    set({ outcome: outcome as unknown as SubmissionOutcome })
    assert.equal((await post(withFile(), program)).status, status)
    // The answer doesn't wait for files of a post that could not be stored.
    if (outcome.kind === 'unavailable') await delay(100)
    assert.equal(left() - before, kept, outcome.kind)
  }
  const before = left()
  set({ outcome: new Error('lost') })
  assert.equal((await post(withFile(), program)).status, 500)
  await delay(100)
  assert.equal(left() - before, 0)
  set({ outcome: new Error('lost'), stores: true })
  assert.equal((await post(withFile(), program)).status, 500)
  await delay(100)
  assert.equal(left() - before, 1, 'its rows are stored')
  set({ outcome: { kind: 'unavailable' }, stores: false })
  take()
  const large = await post(withFile('x'.repeat(1024 * 1024 + 1)), program)
  assert.equal(large.status, 503, 'of the desk')
  assert.partialDeepStrictEqual(take().accepted[0]?.files, {
    byField: { cv: [{ file: '', size: 1024 * 1024 + 1 }] },
  })
})

test('a post with files is refused before it is read, or for what it is', async (t) => {
  const { form, post, set, take } = await someForms(t, FILE_FORM)
  const program = { accept: JSON_TYPE }
  for (const [found, status] of [
    [undefined, 404],
    [{ ...form, status: 'archived' }, 410],
    [{ ...form, status: 'draft' }, 404],
    [Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' }), 503],
    [new Error('broken'), 500],
  ] as const) {
    set({ found: found as Form | Error | undefined })
    assert.equal((await post(withFile(), program)).status, status)
    assert.deepEqual([take().accepted, take().taken], [[], []])
  }
  set({ found: form })
  const unbounded = { ...program, 'content-type': 'multipart/form-data' }
  const broken = await post('a', unbounded)
  assert.deepEqual([broken.status, broken.json().detail], [400, 'The multipart body has no boundary.'])
  assert.deepEqual(take().noted, ['request_refused'])
  set({ room: { kind: 'too_many', retryAfterSeconds: 30 } })
  const limited = await post(withFile(), program)
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '30'])
  assert.deepEqual(take().noted, ['upload_limited'])
})

test('in a site built by Astro, its endpoint takes the posts', async (t) => {
  const calls: unknown[] = []
  const forms = {
    async answer({ url }: { url?: string }) {
      if (url === '/api/forms/broken') throw new Error('broken')
      return { status: 200, headers: {}, body: 'direct' }
    },
  } as unknown as Parameters<typeof createFormsSender>[0]
  const fail = async (_: unknown, error: unknown) => ({ status: 500, headers: {}, body: String(error) })
  const send = createFormsSender(forms, {
    fail,
    async astroHandler(request, response, next, locals) {
      const { forms: given, incoming } = locals as { forms: typeof forms; incoming: unknown }
      calls.push([next, incoming === request, Reflect.get(request, 'body')])
      response.end((await given.answer(request))?.body)
    },
  })
  const url = await serveEndpoint(t, send)
  const ask = async (path: string, method = 'POST') => {
    const answer = await fetch(url + path, { method })
    return [answer.status, await answer.text(), calls.splice(0).length]
  }
  assert.deepEqual(await ask(SUBMISSIONS), [200, 'direct', 1])
  assert.deepEqual(await ask(`${SUBMISSIONS}?a=b`), [200, 'direct', 1])
  await fetch(url + SUBMISSIONS, { method: 'POST' })
  assert.deepEqual(calls.splice(0), [[undefined, true, new Uint8Array()]])
  for (const [path, method] of [
    [SUBMISSIONS, 'GET'],
    [`${SUBMISSIONS}/more`, 'POST'],
    ['/api/forms/quote', 'POST'],
  ] as const)
    assert.deepEqual(await ask(path, method), [200, 'direct', 0], path)
  assert.deepEqual(await ask('/api/forms/broken'), [500, 'Error: broken', 0])
})
