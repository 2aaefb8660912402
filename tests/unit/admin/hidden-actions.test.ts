import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideForbidden } from '#src/admin/access/hide-forbidden.ts'
import { isAllowed, mayOpen, mayPost } from '#src/admin/access/may-open.ts'
import { areaOf, navigationOf, trailAt } from '#src/admin/navigation/navigation.ts'
import { NO_LIMITS, type Role } from '#src/auth/roles/role.ts'

const holder = (role: Role, limits = NO_LIMITS) => ({ role, limits })
const VIEWER = holder('viewer')

const hide = (html: string, user = VIEWER, path = '/admin/entries/pages/3') => hideForbidden(html, user, path)

test('the route with the most literal names decides who may open or post to an address', () => {
  const may = (href: string, role: Role) => [mayOpen(holder(role), href), mayPost(holder(role), href)]
  assert.deepEqual(may('/admin/entries/pages/3', 'viewer'), [true, false])
  assert.deepEqual(may('/admin/entries/pages/3?draft=1#text', 'editor'), [true, true])
  // A new page, not the page with the ID `new`.
  assert.deepEqual(may('/admin/entries/pages/new', 'viewer'), [false, false])
  assert.deepEqual(may('/admin/forms/quote/', 'viewer'), [false, false])
  assert.deepEqual(may('/admin/inbox/4/notes', 'viewer'), [false, false])
  assert.deepEqual(may('/admin/forms/export.csv', 'office'), [false, false])
  assert.deepEqual(may('/services', 'viewer'), [true, true])
})

test('nobody has to be signed in at the entrance', () => {
  const allows = { allows: 'nothing', allowsPost: 'use_account' } as const
  assert.deepEqual([isAllowed(undefined, allows, 'GET'), isAllowed(undefined, allows, 'POST')], [true, false])
})

test('links to pages that a user can’t open lose their address, and buttons disappear', () => {
  assert.equal(
    hide('<a href="/admin/forms/quote">Quote</a> <a href="/admin/inbox">Inbox</a>'),
    ['Quote <a href="/admin/inbox">Inbox</a>'].join(''),
  )
  assert.equal(hide('<p><a class="btn btn-sm" href="/admin/forms/quote">Edit</a></p>'), '<p></p>')
  assert.equal(hide('<a class="btnx" href="/admin/forms/quote"><b>Edit</b>\n it</a>'), '<b>Edit</b>\n it')
  // The address is compared as browsers read it.
  assert.equal(hide('<a href="/admin/entries/pages/new?a=1&amp;b=2">New</a>'), 'New')
  for (const link of [
    '<a href="/administration/forms">Elsewhere</a>',
    '<a href="https://example.com/admin/forms">Elsewhere</a>',
    '<a data-href="/admin/forms/quote" id="here">Anchor</a>',
  ])
    assert.equal(hide(link), link)
  const forms = '<a href="/admin/forms/quote" class="btn">Edit</a>'
  assert.equal(hide(forms, holder('owner')), forms)
})

test('a form that a user can’t send is disabled and loses its buttons', () => {
  const fields = '<input name="title">'
  const disabled = (content: string, attributes = ' method="post"') =>
    `<form${attributes}><fieldset disabled class="contents">${content}</fieldset></form>`
  const save = '<button type="submit">Save</button>'
  const script = '<button type="button">Add row</button>'
  assert.equal(hide(`<form method="post">${fields}${save}${script}</form>`), disabled(fields + script))
  assert.equal(
    hide(`<form action="/admin/inbox/4/notes" method="post">${save}</form>`, VIEWER, '/admin/inbox/4'),
    disabled('', ' action="/admin/inbox/4/notes" method="post"'),
  )
  for (const form of [
    `<form method="get">${fields}${save}</form>`,
    `<form action="/admin/entries/pages/new">${save}</form>`,
    `<form action="/admin/inbox" method="post">${fields}${save}</form>`,
  ])
    assert.equal(hide(form), form)
})

test('buttons with an address of their own are judged by it', () => {
  const preview = '<button formaction="/admin/entries/pages/preview">Preview</button>'
  const status = '<button formaction="/admin/entries/pages/status">Hide</button>'
  const plain = '<button>Search</button>'
  assert.equal(
    hide(`<form method="post">${preview}${status}${plain}</form>`),
    `<form method="post"><fieldset disabled class="contents">${preview}</fieldset></form>`,
  )
  assert.equal(
    hide(`<form action="/admin/inbox" method="post">${preview}${status}${plain}</form>`),
    `<form action="/admin/inbox" method="post">${preview}${plain}</form>`,
  )
})

test('the menu has the areas that a user may open', () => {
  const menuOf = (user: Parameters<typeof navigationOf>[0]) =>
    navigationOf(user).map(({ label, items }) => `${label}: ${items.map((item) => item.label).join(', ')}`)
  assert.deepEqual(menuOf(holder('office')), ['Overview: Dashboard, Inbox, Results'])
  assert.equal(menuOf(holder('owner')).length, 5)
  const editor = menuOf(holder('editor'))
  assert.match(editor[1] ?? '', /^Site: Pages, .*Publish$/)
  assert.equal(editor[0], 'Overview: Dashboard')
})

test('a page belongs to the area with the longest address above it', () => {
  const labelAt = (path: string) => areaOf(path)?.label
  assert.deepEqual(
    [
      '/admin',
      '/admin/inbox/4',
      '/admin/entries/services/3',
      '/admin/entries/projects',
      '/admin/forms/quote',
      '/admin/forms/quote/webhooks/3',
      '/admin/conflicts',
      '/admin/account/password',
      '/admin/inboxes',
      '/admin/forms/quote/webhooksx',
      '/admin/conflicts/3',
    ].map(labelAt),
    [
      ...['Dashboard', 'Inbox', 'Services', 'All content', 'Forms', 'Webhooks', 'Publish', 'Your account'],
      ...[undefined, 'Forms', undefined],
    ],
  )
})

test('a page leads back to its area, or to the list it was opened from', () => {
  assert.deepEqual(trailAt('/admin/inbox/4'), [{ href: '/admin/inbox', label: 'Inbox' }])
  assert.deepEqual(trailAt('/admin/inbox/4', '/admin/inbox?status=spam'), [
    { href: '/admin/inbox?status=spam', label: 'Inbox' },
  ])
  assert.deepEqual([trailAt('/admin/inbox'), trailAt('/elsewhere')], [[], []])
})
