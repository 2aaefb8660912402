import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { thumbnailsFolder } from '#src/pictures/thumbnails.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { listAnswers } from '#src/publish/previews/answer-store.ts'
import { writeLaterLists } from '#src/publish/previews/changed-pages.ts'
import { beginPreview, finishPreview, type WantedPreview } from '#src/publish/previews/make-preview.ts'
import { previewFolder } from '#src/publish/previews/preview-folder.ts'
import { endPreview, findPreview } from '#src/publish/previews/preview-store.ts'
import type { StagedPreview } from '#src/publish/previews/stage-preview.ts'
import { createPreviewEndpoint, isPreview } from '#src/server/previews/preview-endpoint.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { goLive } from '../../support/live-release.ts'

const LIVE = '20261124T090000000Z'
const PICTURE = 'c'.repeat(64)
const EDIT = { name: 'About', kind: 'Page', change: 'edited' as const, page: 'entry:3' }
const LABELLED = {
  label: 'Photo',
  parts: [{ change: 'added' as const, text: '', picture: { sha256: PICTURE, alt: '' } }],
}
const PLAIN_LABEL = { label: 'Text', parts: [{ change: 'added' as const, text: 'New' }] }
const STAGED: Omit<StagedPreview, 'changeId'> = {
  ...{ releaseId: LIVE, pagesHash: 'b'.repeat(64), pageCount: 1, kinds: { other: 1 } },
  changes: [{ change: 'changed', path: '/about', key: 'entry:3' }],
}

/** A preview of a changed `/about`, on a server of its own. */
async function aPreview(
  t: TestContext,
  {
    wanted = {},
    staged = {},
    isMade = true,
    hasMail = true,
  }: { wanted?: Partial<WantedPreview>; staged?: object; isMade?: boolean; hasMail?: boolean } = {},
) {
  const db = await openTestDatabase(t)
  const [dataDir, clientDir] = [temporaryFolder(t), temporaryFolder(t)]
  await goLive(dataDir, { id: LIVE })
  const begun = await beginPreview(db, {
    madeBy: 'ann@example.com',
    only: undefined,
    ...wanted,
    now: new Date(),
  })
  const changeId = (await findLogEnd(db)).id
  const options = { stage: async () => ({ ...STAGED, changeId, ...staged }), place: { dataDir } }
  if (isMade) await finishPreview(db, begun, { ...options, now: () => new Date() })
  const folder = previewFolder(dataDir, { key: begun.key, releaseId: LIVE })
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write(join(folder, 'about.html'), '<a href="/contact">New about</a>')
  write(join(dataDir, 'releases', LIVE, 'site/about.html'), 'Live about')
  const calls: unknown[] = []
  const making = new Set<number>()
  const log = { info: (fields: object, message: string) => calls.push([message, fields]) }
  const app = {
    ...{ db, log, config: { dataDir, siteUrl: 'https://a.example', trustedProxies: 0 } },
    siteLocale: { current: () => ({ timeZone: 'America/Chicago' }) },
    answerMails: hasMail ? { wake: () => calls.push('wake') } : undefined,
    publishing: {
      bringPreview: async (files: object) => calls.push(['bring', files]),
      previews: {
        refresh: async (previews: { id: number }[]) => {
          calls.push(['refresh', previews.map(({ id }) => id)])
          return previews
        },
        isRefreshing: (id: number) => making.has(id),
      },
    },
  }
  const endpoint = createPreviewEndpoint(app as unknown as Parameters<typeof createPreviewEndpoint>[0], {
    clientDir,
  })
  const url = await serveEndpoint(t, endpoint)
  const base = `/api/previews/${begun.token}`
  async function open(rest = '', options: RequestInit = {}) {
    const response = await fetch(`${url}${base}${rest}`, { redirect: 'manual', ...options })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const answer = (fields: Record<string, string>) =>
    open('', { method: 'POST', body: new URLSearchParams(fields) })
  const bring = ['bring', { key: begun.key, releaseId: LIVE }]
  return { db, dataDir, folder, write, begun, calls, making, url, base, open, answer, bring }
}

const headOf = ({ status, headers }: { status: number; headers: Headers }) => [
  status,
  headers.get('cache-control'),
  headers.get('x-robots-tag'),
  headers.get('referrer-policy'),
]
const SENT = ['no-store', 'noindex, nofollow', 'same-origin']

test('only addresses below the previews are previews', () => {
  for (const [url, is] of [
    ['/api/previews/a', true],
    ['/api/previews', false],
    ['/a/api/previews/a', false],
    [undefined, false],
  ] as const)
    assert.equal(isPreview({ url } as Parameters<typeof isPreview>[0]), is, String(url))
})

test('a link shows its pages once they are made, and says when it no longer works', async (t) => {
  const { db, begun, making, calls, url, base, open } = await aPreview(t)
  const shown = await open()
  assert.deepEqual(headOf(shown), [200, ...SENT])
  assert.match(shown.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
  assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(shown.text, /<title>Preview of unpublished changes<\/title>/)
  assert.match(shown.text, /No one has responded yet/)
  assert.ok(shown.text.includes(`href="${base}/new/about"`))
  assert.deepEqual(calls, [['refresh', [begun.id]]], 'its pages are current, and need no files')
  for (const rest of [
    '/other',
    '/old/none',
    '/new/none',
    '/pictures/about',
    '/compare?page=/none',
    '?list=2',
  ])
    assert.deepEqual(
      [(await open(rest)).status, (await open(rest)).text.match(/<title>.*<\/title>/)?.[0]],
      [404, '<title>Page not found</title>'],
      rest,
    )
  making.add(begun.id)
  for (const rest of ['', '/compare?page=/about']) {
    const waiting = await open(rest)
    assert.deepEqual(headOf(waiting), [200, ...SENT])
    assert.match(waiting.text, /http-equiv="refresh" content="5".*<title>The preview is being prepared/s)
  }
  assert.equal((await open('/old/about')).text, 'Live about', 'while its pages are made again')
  for (const path of [`${base}x`, base.slice(0, -1), `/api/previews/${'x'.repeat(43)}`]) {
    const response = await fetch(url + path)
    assert.equal(response.status, 404, path)
    assert.match(await response.text(), /<title>This preview is no longer available</)
  }
  await endPreview(db, begun.id, { now: new Date() })
  const gone = await open()
  assert.deepEqual(headOf(gone), [404, ...SENT])
  assert.match(gone.text, /The link has expired or was turned off/)
})

test('a link whose pages are not made yet asks to wait', async (t) => {
  const { open } = await aPreview(t, { isMade: false })
  for (const rest of ['', '/old/about']) assert.match((await open(rest)).text, /http-equiv="refresh"/, rest)
})

test('each side shows its page, whose links stay there, and neither counts a view', async (t) => {
  const { begun, dataDir, calls, base, bring, open, write } = await aPreview(t)
  write(join(dataDir, 'releases', LIVE, 'site/a.txt'), 'Text')
  const page = await open('/new/about')
  assert.deepEqual(headOf(page), [200, ...SENT])
  assert.equal(page.text, `<a href="${base}/new/contact">New about</a>`)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('server-timing'), 'counted')
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /form-action 'none'; .*frame-ancestors 'self'$/,
  )
  assert.deepEqual(calls, [bring], 'another server may have made it')
  assert.equal((await open('/old/about?a=b')).text, 'Live about')
  assert.deepEqual(calls, [bring], 'the live page needs no files')
  const text = await open('/old/a.txt')
  assert.deepEqual([text.text, text.headers.get('server-timing')], ['Text', null])
  const compared = await open('/compare?page=%2Fabout')
  assert.deepEqual(headOf(compared), [200, ...SENT])
  for (const side of ['old', 'new']) assert.ok(compared.text.includes(`src="${base}/${side}/about"`), side)
  assert.deepEqual(calls.slice(1), [['refresh', [begun.id]], bring])
  for (const page of ['', '%2Fnone', '%2F..%2Fabout', 'about'])
    assert.equal((await open(`/compare?page=${page}`)).status, 404, page)
})

test('a link shows the pictures of its changes and no others', async (t) => {
  const other = 'd'.repeat(64)
  const edits = [{ ...EDIT, fields: [PLAIN_LABEL, LABELLED] }]
  const { dataDir, calls, open, write } = await aPreview(t, { wanted: { edits } })
  for (const sha256 of [PICTURE, other])
    write(join(thumbnailsFolder(dataDir), `${sha256}-320.webp`), `small ${sha256[0]}`)
  const picture = await open(`/pictures/${PICTURE}`)
  assert.deepEqual([...headOf(picture), picture.text], [200, ...SENT, 'small c'])
  assert.equal(picture.headers.get('content-type'), 'image/webp')
  assert.equal((await open(`/pictures/${other}`)).status, 404)
  assert.deepEqual(calls, [])
})

test('a long list of pages continues on other pages', async (t) => {
  const changes = Array.from({ length: 501 }, (_, index) => ({
    ...{ change: 'changed' as const, path: `/p${index}`, key: `page:${index}` },
  }))
  const staged = { pageCount: 501, changes: changes.slice(0, 500) }
  const { folder, calls, bring, begun, open } = await aPreview(t, { staged })
  await writeLaterLists(folder, changes)
  for (const rest of ['', '?list=1', '?list=x', '?list=0', '?list=1.9'])
    assert.match((await open(rest)).text, /<span>1–500 of 501<\/span>/, rest)
  calls.splice(0)
  const second = await open('?list=2')
  assert.match(second.text, /<span>501–501 of 501<\/span>/)
  assert.deepEqual(calls, [['refresh', [begun.id]], bring])
  assert.equal((await open('?list=3')).status, 404)
})

test('an answer is stored, logged, and mailed once', async (t) => {
  const { db, begun, calls, base, open, answer } = await aPreview(t)
  for (const [fields, problem] of [
    [{}, 'Enter your name.'],
    [{ name: ' ' }, 'Enter your name.'],
    [{ name: 'n'.repeat(81) }, 'Enter your name.'],
    [{ name: 'Bo', note: 'n'.repeat(501) }, 'Enter your name.'],
    [{ name: 'Bo', answer: 'other' }, 'Enter your name.'],
    [{ name: 'Bo', answer: 'changes', note: ' ' }, 'Enter your name, and describe the changes in the note.'],
    [
      { name: 'Bo', pages: 'other' },
      'The pages have changed in the meantime. Review them again, then respond.',
    ],
    [{ name: 'Bo', x: 'x'.repeat(16_384) }, 'Enter your name.'],
  ] as const) {
    const refused = await answer(fields)
    assert.deepEqual(headOf(refused), [422, ...SENT])
    assert.ok(refused.text.includes(`<p role="alert">${problem}</p>`), problem)
  }
  const unreadable = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
  assert.equal((await open('', unreadable)).status, 422)
  assert.equal((await listAnswers(db, [begun.id])).length, 0)
  calls.splice(0)
  const pages = STAGED.pagesHash
  const asked = await answer({ name: ' Bo ', answer: 'changes', note: ' Not this ', pages })
  assert.deepEqual(headOf(asked), [303, ...SENT])
  assert.equal(asked.headers.get('location'), `${base}?sent=changes`)
  assert.match((await open('?sent=changes')).text, /Thank you\. Your request was sent\./)
  const approved = await answer({ name: 'n'.repeat(80), note: 'n'.repeat(500), pages })
  assert.equal(approved.headers.get('location'), `${base}?sent=approved`)
  assert.equal((await answer({ name: 'Cy', answer: 'approved' })).status, 303, 'someone was quicker')
  const stored = await listAnswers(db, [begun.id])
  assert.deepEqual(
    stored.map(({ kind, name, note, mailStatus }) => [kind, name, note, mailStatus]),
    [
      ['changes', 'Bo', 'Not this', 'pending'],
      ['approved', 'n'.repeat(80), 'n'.repeat(500), 'pending'],
    ],
  )
  assert.equal((await findPreview(db, begun.id))?.approvedBy, 'n'.repeat(80))
  assert.equal(calls.filter((call) => call === 'wake').length, 2)
  const audit = await db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  assert.deepEqual(
    audit.map((row) => [row.action, row.subject_type, row.subject_id, row.user_id, row.address]),
    [
      ['preview.changes_requested', 'preview', String(begun.id), null, '127.0.0.1'],
      ['preview.approved', 'preview', String(begun.id), null, '127.0.0.1'],
    ],
  )
  assert.match(audit[0]?.summary ?? '', /Bo/)
  assert.deepEqual(
    calls
      .filter((call) => Array.isArray(call) && call[0] === 'audit entry')
      .map((call) => (call as unknown[])[1]),
    audit.map(({ action, chain_hash: auditHash }) => ({ action, auditHash })),
  )
})

test('without a mail server, an answer plans no email', async (t) => {
  const { db, begun, answer } = await aPreview(t, { hasMail: false })
  assert.equal((await answer({ name: 'Bo' })).status, 303)
  assert.equal((await listAnswers(db, [begun.id]))[0]?.mailStatus, 'off')
})
