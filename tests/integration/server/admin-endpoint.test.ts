import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import { startSession } from '#src/auth/sessions.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { createAdminEndpoint, isAdminPath } from '#src/server/admin/admin-endpoint.ts'
import { adminPolicy } from '#src/server/admin/admin-policy.ts'
import type { ReceivedPicture } from '#src/server/admin/picture-upload.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'

interface Locals {
  clientAddress?: string
  receivedPictures?: readonly ReceivedPicture[]
  refused?: string
  thrown?: { error: unknown }
}

interface Shown {
  request: Request
  body: string
  locals: Locals
}

/** The part of the server that passes requests to the admin, whose pages are made here. */
async function anAdmin(
  t: TestContext,
  page: (shown: Shown) => Response | Promise<Response> = () => new Response('page'),
) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const shown: Shown[] = []
  const noted: unknown[] = []
  const app = {
    ...{ db, files: openDiskFiles(dataDir), config: { trustedProxies: 1 } },
    refusals: { note: (code: string) => noted.push(code) },
    log: { error: (_: object, message: string) => noted.push(message) },
  }
  const endpoint = createAdminEndpoint(
    app as unknown as Parameters<typeof createAdminEndpoint>[0],
    async (request, locals) => {
      const one = { request, body: await request.clone().text(), locals }
      shown.push(one)
      return page(one)
    },
  )
  const url = await serveEndpoint(t, endpoint)
  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(url + path, { redirect: 'manual', ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Asks for this path exactly, and returns the status. */
  function askRaw(path: string) {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    httpRequest(url, { path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
    return promise
  }
  async function signIn(role: Role) {
    const account = { email: `${role}@example.com`, name: null, passwordHash: 'x', role, limits: NO_LIMITS }
    const id = (await insertAdministrator(db, { ...account, now: new Date() })) ?? 0
    const visitor = { address: '192.0.2.9', userAgent: 'test' }
    return `signpost_session=${await startSession(db, id, visitor, { now: new Date() })}`
  }
  const take = () => ({ shown: shown.splice(0), noted: noted.splice(0) })
  return { url, dataDir, ask, askRaw, signIn, take }
}

test('the admin is at its address and below it', () => {
  for (const [url, is] of [
    ['/admin', true],
    ['/admin?a', true],
    ['/admin/inbox', true],
    ['/administration', false],
    ['/Admin', false],
    ['/a/admin', false],
    [undefined, false],
  ] as const)
    assert.equal(isAdminPath(url), is, String(url))
})

test('a page sees the request as it was, and its answer is never kept', async (t) => {
  const { url, ask, take } = await anAdmin(t, ({ request }) => {
    const headers = new Headers({ 'content-type': 'text/plain', 'x-robots-tag': 'none' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    return request.method === 'GET' ? new Response('page', { status: 201, headers }) : new Response(null)
  })
  const headers = { 'x-forwarded-for': '198.51.100.7', 'x-a': 'b' }
  const answer = await ask('/admin/inbox?page=2', { headers })
  assert.deepEqual([answer.status, answer.text], [201, 'page'])
  assert.deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2'])
  assert.equal(answer.headers.get('content-security-policy'), adminPolicy())
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('referrer-policy'), 'same-origin')
  assert.equal(answer.headers.get('x-robots-tag'), 'none', 'of the page')
  const [{ request, locals, body } = {}] = take().shown
  assert.deepEqual([request?.url, request?.method, body], [`${url}/admin/inbox?page=2`, 'GET', ''])
  assert.equal(request?.headers.get('x-a'), 'b')
  assert.equal(locals?.clientAddress, '198.51.100.7')
  assert.equal(locals?.receivedPictures, undefined)
  const posted = await ask('/admin/inbox', { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
  assert.deepEqual([posted.status, posted.text, posted.headers.getSetCookie()], [200, '', []])
  assert.equal(posted.headers.get('x-robots-tag'), 'noindex, nofollow')
  const [post] = take().shown
  assert.deepEqual([post?.request.method, post?.body], ['POST', 'a=b'])
  assert.match(post?.request.headers.get('content-type') ?? '', /^application\/x-www-form-urlencoded/)
  assert.equal((await ask('/admin', { method: 'HEAD' })).status, 200)
  assert.deepEqual(take().noted, [])
})

test('an address that leads out of the admin, or means nothing, has no page', async (t) => {
  const { askRaw, take } = await anAdmin(t)
  for (const path of ['/admin/%2e%2e/about', '/admin/../about', '/admin/%ff']) {
    assert.equal(await askRaw(path), 404, path)
    assert.deepEqual(take(), { shown: [], noted: ['request_refused'] }, path)
  }
  assert.equal(await askRaw('/admin/%2e/inbox'), 200)
})

test('what a page refuses is noted, and what it throws fails', async (t) => {
  const { ask, take } = await anAdmin(t, ({ request, locals }) => {
    if (request.url.endsWith('/thrown')) locals.thrown = { error: new Error('broken') }
    if (request.url.endsWith('/limited')) locals.refused = 'sign_in_limited'
    return new Response('page', { status: request.url.endsWith('/forbidden') ? 403 : 200 })
  })
  for (const [path, status, noted] of [
    ['forbidden', 403, ['forbidden']],
    ['limited', 200, ['sign_in_limited']],
    ['thrown', 500, []],
    ['other', 200, []],
  ] as const) {
    assert.equal((await ask(`/admin/${path}`)).status, status, path)
    assert.deepEqual(take().noted, noted, path)
  }
})

const KIB = 1024

test('a post may be larger once someone is signed in', async (t) => {
  const { ask, signIn, take } = await anAdmin(t)
  const cookie = await signIn('viewer')
  const secure = `other=1; __Host-${cookie}`
  const post = (kib: number, headers: Record<string, string> = {}) =>
    ask('/admin/a', { method: 'POST', body: 'x'.repeat(kib * KIB), headers })
  for (const [kib, headers, limit] of [
    [64, {}, undefined],
    [65, {}, 64],
    [65, { cookie: `${cookie}x` }, 64],
    [65, { cookie: cookie.replace('=', 's=') }, 64],
    [65, { cookie }, undefined],
    [512, { cookie: secure }, undefined],
    [513, { cookie }, 512],
  ] as const) {
    const answer = await post(kib, headers)
    const name = `${kib} ${JSON.stringify(headers)}`
    assert.equal(answer.status, limit === undefined ? 200 : 413, name)
    const { shown, noted } = take()
    assert.equal(shown[0]?.body.length, limit === undefined ? kib * KIB : undefined, name)
    assert.deepEqual(noted, limit === undefined ? [] : ['too_large'], name)
    if (limit === undefined) continue
    assert.ok(answer.text.includes(`${limit} KB`), answer.text)
    assert.equal(answer.headers.get('connection'), 'close')
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  }
  const body = new Blob(['x'.repeat(65 * KIB)]).stream()
  const streamed = { method: 'POST', body, duplex: 'half', headers: { cookie } }
  assert.equal((await ask('/admin/a', streamed as RequestInit)).status, 200, 'without a length')
  const page = await post(65, { accept: 'text/html,*/*' })
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  assert.match(page.text, /64 KB/)
})

test('a post has at most 10,000 fields', async (t) => {
  const { ask, signIn, take } = await anAdmin(t)
  const cookie = await signIn('viewer')
  const plain = 'application/x-www-form-urlencoded'
  const part = 'CONTENT-disposition\n'
  for (const [type, body, status] of [
    [plain, '&'.repeat(9_999), 200],
    [plain, '&'.repeat(10_000), 413],
    ['multipart/form-data; boundary=x', '&'.repeat(10_000), 200],
    ['multipart/form-data; boundary=x', part.repeat(9_999), 200],
    ['multipart/form-data; boundary=x', part.repeat(10_000), 413],
    [`multipart/form-data; boundary=x, ${plain}`, '&'.repeat(10_000), 413],
    [` MULTIPART/form-data`, '&'.repeat(10_000), 200],
  ] as const) {
    const headers = { 'content-type': type, cookie }
    assert.equal((await ask('/admin/a', { method: 'POST', body, headers })).status, status, type)
    assert.deepEqual(take().noted, status === 200 ? [] : ['too_large'])
  }
  const headers = { cookie, 'content-type': plain }
  assert.match(
    (await ask('/admin/a', { method: 'POST', body: '&'.repeat(10_000), headers })).text,
    /10,000 fields/,
  )
})

function upload(file: string | undefined, fields: Record<string, string> = {}) {
  const body = new FormData()
  if (file !== undefined) body.append('files', new Blob([file]), 'van.jpg')
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return body
}

test('pictures are written to disk for the page, and removed after it', async (t) => {
  const read: unknown[] = []
  const { dataDir, ask, signIn, take } = await anAdmin(t, ({ locals }) => {
    for (const { path, size, name } of locals.receivedPictures ?? [])
      read.push([path && readFileSync(path, 'utf8'), size, name])
    return new Response('page')
  })
  const cookie = await signIn('editor')
  for (const [path, body, fields, pictures] of [
    [
      'new',
      upload('bytes', { alt: 'A & B', 'tag[]': 'c' }),
      { alt: 'A & B', 'tag[]': 'c' },
      [['bytes', 5, 'van.jpg']],
    ],
    ['12/replacement', upload('', { a: '' }), { a: '' }, [[undefined, 0, 'van.jpg']]],
    ['new', upload(undefined, { alt: 'A' }), { alt: 'A' }, []],
  ] as const) {
    const answer = await ask(`/admin/pictures/${path}`, { method: 'POST', body, headers: { cookie } })
    assert.equal(answer.status, 200)
    const { shown, noted } = take()
    assert.deepEqual(Object.fromEntries(new URLSearchParams(shown[0]?.body)), fields)
    assert.equal(shown[0]?.request.headers.get('content-type'), 'application/x-www-form-urlencoded')
    assert.deepEqual([read.splice(0), noted], [pictures, []])
    const temporary = join(dataDir, 'uploads/tmp')
    assert.deepEqual(existsSync(temporary) ? readdirSync(temporary) : [], [])
  }
})

test('pictures of someone who may not change them are not read', async (t) => {
  const { ask, signIn, take } = await anAdmin(t, () => new Response('no', { status: 403 }))
  const cookie = await signIn('viewer')
  const options = { method: 'POST', body: upload('bytes'), headers: { cookie } }
  const answer = await ask('/admin/pictures/new', options)
  assert.deepEqual([answer.status, answer.headers.get('connection')], [403, 'close'])
  const { shown, noted } = take()
  assert.deepEqual([shown[0]?.body, shown[0]?.locals.receivedPictures, noted], ['', [], ['forbidden']])
})

test('other posts with files are read like any post', async (t) => {
  const { ask, signIn, take } = await anAdmin(t)
  const cookie = await signIn('owner')
  for (const [path, headers] of [
    ['pictures/new', {}],
    ['pictures/other', { cookie }],
    ['pictures/new/more', { cookie }],
    ['pictures/x/replacement', { cookie }],
    ['pictures/1234567890123456/replacement', { cookie }],
  ] as const) {
    const options = { method: 'POST', body: upload('bytes'), headers }
    assert.equal((await ask(`/admin/${path}`, options)).status, 200)
    const [{ body = '', locals } = {}] = take().shown
    assert.deepEqual([/bytes/.test(body), locals?.receivedPictures], [true, undefined], path)
  }
  const text = { 'content-type': 'text/plain', cookie }
  await ask('/admin/pictures/new', { method: 'POST', body: 'bytes', headers: text })
  assert.equal(take().shown[0]?.locals.receivedPictures, undefined)
})

test('an upload that can’t be read or stored is refused', async (t) => {
  const { dataDir, ask, signIn, take } = await anAdmin(t)
  const cookie = await signIn('owner')
  const post = (body: string | FormData, headers = {}) =>
    ask('/admin/pictures/new', { method: 'POST', body, headers: { cookie, ...headers } })
  const type = { 'content-type': 'multipart/form-data; charset=utf-8' }
  const tooMany = new FormData()
  for (let index = 0; index < 2_001; index += 1) tooMany.append(`f${index}`, '')
  for (const [body, headers, status] of [
    ['bytes', type, 400],
    [tooMany, {}, 413],
  ] as const) {
    const answer = await post(body, headers)
    assert.deepEqual([answer.status, answer.headers.get('connection')], [status, 'close'])
    assert.match(answer.text, /60 MB/)
    assert.deepEqual(take(), { shown: [], noted: ['too_large'] })
  }
  const uploads = join(dataDir, 'uploads')
  rmSync(uploads, { recursive: true, force: true })
  symlinkSync(join(dataDir, 'missing/disk'), uploads)
  assert.equal((await post(upload('bytes'))).status, 503)
  assert.deepEqual(take(), { shown: [], noted: ['picture upload'] })
})

test('the policy allows exactly the styles of an email', () => {
  const none = adminPolicy()
  assert.match(none, /^default-src 'none'; /)
  assert.match(none, /; style-src 'self'; /)
  // printf 'a{}' | openssl dgst -sha256 -binary | base64
  const sheet = "'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"
  const inline = "'sha256-8f935d27GvUutRyY9yWScUMiFUk4WTdZURISiYfPOeQ='"
  const email = '<style>a{}</style><p style="color:red">a</p><p style="color:red">b</p>'
  assert.equal(
    adminPolicy(email),
    none.replace("style-src 'self'", `style-src 'self' 'unsafe-hashes' ${sheet} ${inline}`),
  )
})
