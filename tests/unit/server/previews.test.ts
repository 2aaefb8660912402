import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangedPage } from '#src/publish/previews/changed-pages.ts'
import { comparePage } from '#src/server/previews/compare-page.ts'
import { editList } from '#src/server/previews/edit-list.ts'
import { linksOf } from '#src/server/previews/page-links.ts'
import { answerForm, type ShownPreview, stateBox } from '#src/server/previews/response.ts'
import { keepLinks, shownPolicy } from '#src/server/previews/shown-file.ts'

const BASE = '/preview/key'
const changed = (path: string, values: Partial<ChangedPage> = {}): ChangedPage =>
  ({ change: 'changed', path, key: path, title: `Title of ${path}`, ...values }) as ChangedPage

test('the links of a shown page stay on its side', () => {
  for (const [html, kept] of [
    ['<a href="/a?b">', '<a href="/p/new/a?b">'],
    ['<img src="/a.png"><form action="/b">', '<img src="/p/new/a.png"><form action="/p/new/b">'],
    [
      '<img srcset="/a.png 1x, /b.png 2x,/c.png 3x">',
      '<img srcset="/p/new/a.png 1x, /p/new/b.png 2x,/p/new/c.png 3x">',
    ],
    ['<a href="//b.example/"><a href="https://b.example/a"><a href="#a">', undefined],
    ['<img srcset="//b.example/a.png 1x, https://b.example/b.png 2x">', undefined],
    ['<a data-href="/a">href="/a"</a>', undefined],
  ] as const)
    assert.equal(keepLinks(html, '/p/new'), kept ?? html)
})

test('a shown page posts and reports nothing, and is framed by this site only', () => {
  const own =
    "default-src 'none'; form-action 'self'; connect-src 'self'; frame-src https://map.example; report-uri /a; report-to csp"
  const added = "form-action 'none'; connect-src 'none'; frame-ancestors 'self'"
  const file = (policy: object) => ({ policy }) as Parameters<typeof shownPolicy>[0]
  assert.equal(
    shownPolicy(file({ 'content-security-policy': own }), 'https://a.example'),
    `default-src 'none'; frame-src https://map.example; ${added}`,
  )
  const usual = shownPolicy(file({}), 'https://a.example')
  assert.ok(usual.startsWith("default-src 'none'; ") && usual.endsWith(`; ${added}`), usual)
  assert.equal(usual.match(/form-action|connect-src|frame-ancestors/g)?.length, 3)
})

test('a changed page links to its versions, and a removed one to the live page', () => {
  const compare = `<a href="${BASE}/compare?page=%2Fa%3F%26">Compare with the live page</a>`
  const next = `<a href="${BASE}/new/a?&#38;">New page</a>`
  for (const [change, links] of [
    ['changed', next + compare],
    ['added', next],
    ['removed', `<a href="${BASE}/old/a?&#38;">Live page</a>`],
  ] as const)
    assert.equal(linksOf({ change, path: '/a?&' }, BASE), links)
})

type Edits = Parameters<typeof editList>[0]['edits']

test('an edit shows what was added and removed, with the version before it folded', () => {
  const edit = (values: object) =>
    [{ name: 'A & B', kind: 'Service', change: 'edited', fields: [], ...values }] as unknown as Edits
  const field = (...parts: object[]) => edit({ fields: [{ label: 'Text <', parts }] })
  const list = (edits: Edits, hasMoreEdits = false) =>
    editList({ edits, hasMoreEdits, changes: [changed('/a')] } as Parameters<typeof editList>[0], BASE)
  const same = { change: 'same', text: 'one < ' }
  const [added, removed] = [
    { change: 'added', text: 'two' },
    { change: 'removed', text: 'three' },
  ]
  const ins = '<ins><span class="word"> added: </span>two</ins>'
  const del = '<del><span class="word"> removed: </span>three</del>'
  const former = (html: string) => `<details><summary>Previous version</summary> ${html}</details>`
  const dd = (html: string) => `<dt>Text &#60;</dt><dd>${html}</dd>`
  assert.equal(list([]), '')
  assert.match(
    list(edit({})),
    /<li><strong>A &#38; B<\/strong> <small>Service<\/small> changed<\/li>\n<\/ul>\n$/,
  )
  assert.match(list(edit({}), true), /<\/ul><p>Only the newest changes/)
  assert.match(list(edit({ change: 'added' })), /<\/small> new<\/li>/)
  assert.match(list(edit({ page: '/a' })), /<\/small> changed<p><a href="\/preview\/key\/new\/a">/)
  assert.doesNotMatch(list(edit({ page: '/b' })), /<a /)
  for (const [edits, html] of [
    [field(same, added), dd(`one &#60; ${ins}`)],
    [field(same, removed, added), dd(`one &#60; ${ins} ${former(`one &#60; ${del}`)}`)],
    [field(removed), dd(`empty ${former(del)}`)],
    [field(), dd('changed')],
    [field({ change: 'added', text: ' ' }), dd(' ')],
    [
      field({ change: 'added', text: '', picture: { sha256: 'ab', alt: '"' } }),
      dd(
        '<ins><span class="word"> added: </span><img src="/preview/key/pictures/ab" alt="&#34;" loading="lazy"></ins>',
      ),
    ],
  ] as const)
    assert.ok(list(edits).includes(`</small><dl>${html}</dl></li>`), `${list(edits)}\n${html}`)
})

const shown = (values: { [Key in keyof ShownPreview]?: unknown } = {}, preview: object = {}) =>
  ({
    base: BASE,
    timeZone: 'America/New_York',
    state: 'open',
    answers: [],
    ...values,
    preview: { publishedAt: null, approvedBy: null, pagesSha256: 'ab12', changes: [], ...preview },
  }) as unknown as ShownPreview

test('the box of a preview says its latest state, and thanks only who answered', () => {
  const asked = { kind: 'changes', name: 'Ann <', note: 'Not this' }
  const answers = [asked, { kind: 'changes', name: 'Bo', note: null }, { kind: 'approved', name: 'Cy' }]
  for (const [one, said] of [
    [shown(), 'No one has responded yet.'],
    [shown({ answers: [asked] }), 'Ann &#60; requested changes:</p><p class="note">Not this'],
    [shown({ answers }), 'Bo requested changes:</p><p class="note"></p>'],
    [
      shown({ answers: [{ ...asked, note: ' Not\nthis ' }] }),
      'Ann &#60; requested changes:</p><p class="note">Not\nthis</p></div>',
    ],
    [shown({ answers }, { approvedBy: 'Cy' }), 'Cy approved these pages.'],
    [shown({ state: 'older', answers }, { approvedBy: 'Cy' }), 'This preview is out of date. '],
    [
      shown({ state: 'older' }, { publishedAt: '2026-11-21T03:00:00Z' }),
      'These changes went live on November 20, 2026.',
    ],
  ] as const)
    assert.ok(stateBox(one).startsWith(`<div role="status"><p>${said}`), `${stateBox(one)} ${said}`)
  assert.match(
    stateBox(shown({ answers }), 'approved'),
    /<p>Thank you\. Your approval was sent\.<\/p><\/div>/,
  )
  assert.match(stateBox(shown({ answers }), 'changes'), /<p>Thank you\. Your request was sent\.<\/p><\/div>/)
  assert.match(stateBox(shown(), 'approved'), /No one has responded yet/)
})

test('an answer can be given while the preview is open or has requests', () => {
  for (const [state, isOpen] of [
    ['open', true],
    ['changes', true],
    ['older', false],
    ['approved', false],
  ] as const)
    assert.equal(answerForm(shown({ state })).includes(`action="${BASE}"`), isOpen, state)
  assert.equal(answerForm(shown({ state: 'older' })), '')
  const form = answerForm(shown(), 'Enter your name.')
  assert.match(form, /name="pages" value="ab12"/)
  assert.match(form, /<p role="alert">Enter your name\.<\/p>/)
  assert.doesNotMatch(answerForm(shown()), /alert/)
})

test('a compared page has both versions, and links to the changed pages beside it', () => {
  const changes = [changed('/a'), changed('/new', { change: 'added' }), changed('/b'), changed('/c')]
  const page = (path: string, more = {}) => comparePage(shown(more, { changes }), path)
  const to = (path: string, label: string) => `<a href="${BASE}/compare?page=%2F${path}">${label}</a>`
  const back = `<p class="steps"><a href="${BASE}">Back to the preview</a>`
  const [before, after] = ['Previous changed page', 'Next changed page']
  for (const [path, steps] of [
    ['/a', `${to('b', after)}<span>Changed page 1 of 3</span>`],
    ['/b', `${to('a', before)}${to('c', after)}<span>Changed page 2 of 3</span>`],
    ['/c', `${to('b', before)}<span>Changed page 3 of 3</span>`],
    ['/new', ''],
  ] as const)
    assert.ok(page(path).includes(`${back}${steps}</p>`), path)
  assert.ok(!comparePage(shown({}, { changes: [changed('/a')] }), '/a').includes('<span>'))
  const two = comparePage(shown({}, { changes: [changed('/a'), changed('/b')] }), '/a')
  assert.ok(two.includes('<span>Changed page 1 of 2</span>'))
  const html = page('/a')
  assert.match(html, /<title>Compare: Title of \/a<\/title>/)
  assert.match(page('/<'), /<title>Compare: \/&#60;<\/title>/)
  assert.match(html, /id="show-new" checked>New page<.*id="show-old">Live page</)
  for (const side of ['new', 'old'])
    assert.ok(html.includes(`src="${BASE}/${side}/a"></iframe></figure>`), side)
  assert.doesNotMatch(html, /role="status"/)
  assert.match(page('/a', { state: 'changes' }), /role="status"/)
})
