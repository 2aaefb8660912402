import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '#src/admin/access/routes.ts'
import { can } from '#src/auth/roles/capabilities.ts'
import { ROLES, type Role } from '#src/auth/roles/role.ts'
import { replaceFileErrors } from '#src/content-files/file-error-store.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

// Written by hand and not read from the table of routes: a slip there must show.
const REFUSED: Readonly<Record<Exclude<Role, 'owner'>, readonly string[]>> = {
  manager: ['/admin/users/two-factors', '/admin/users/sessions/removal'],
  editor: ['/admin/inbox', '/admin/inbox/export.csv', '/admin/deliveries', '/admin/forms', '/admin/webhooks'],
  office: [
    '/admin/inbox/export.csv',
    '/admin/inbox/removal',
    '/admin/deliveries',
    '/admin/entries',
    '/admin/forms',
  ],
  viewer: ['/admin/inbox/export.json', '/admin/inbox/sorting', '/admin/entries/pages/new', '/admin/webhooks'],
}
const OF_MANAGERS = [
  '/admin/home',
  '/admin/settings',
  '/admin/users',
  '/admin/audit',
  '/admin/users/new',
  '/admin/content-types/new',
]
const OPEN: Readonly<Record<Role, readonly string[]>> = {
  owner: ['/admin/users/sessions/removal', '/admin/settings', '/admin/inbox/export.csv', '/admin/audit'],
  manager: [...OF_MANAGERS, '/admin/inbox', '/admin/deliveries', '/admin/forms', '/admin/publish'],
  editor: ['/admin', '/admin/entries', '/admin/entries/pages/new', '/admin/publish', '/admin/coverage'],
  office: ['/admin', '/admin/inbox', '/admin/account'],
  viewer: ['/admin', '/admin/inbox', '/admin/entries', '/admin/publish', '/admin/account'],
}

test('each role opens its routes, and the rest answers 403 with an explanation', async (t) => {
  const site = await startAdmin(t)
  for (const role of ROLES) {
    const person = await addPerson(site, role)
    for (const path of OPEN[role])
      assert.equal((await person.fetch(path)).status, 200, `${role} should open ${path}`)
    if (role === 'owner') continue
    const refused = [...REFUSED[role], ...(role === 'manager' ? [] : OF_MANAGERS)]
    for (const path of refused) {
      const page = await readAnswer(await person.fetch(path), 403)
      page.getByRole('heading', { name: 'You don’t have access' })
    }
  }
})

test('a route answers only if the role allows it, for any method', async (t) => {
  const site = await startAdmin(t)
  const limits = { places: [1], forms: [1] }
  const holders = [...ROLES.map((role) => ({ role, limits: {} })), { role: 'manager' as const, limits }]
  for (const { role, limits } of holders) {
    for (const [route, { allows, allowsPost, posts }] of Object.entries(ROUTES)) {
      if (allows === 'nothing' || allowsPost === 'nothing' || route === '/admin/forbidden') continue
      const path = route.replace(/\[\.{0,3}\w+\]/g, '999')
      const holder = { role, limits: { places: null, forms: null, ...limits } }
      // Each time another account: some of these end their own session.
      const person = await addPerson(site, role, limits)
      const isOpen = (await person.fetch(path)).status !== 403
      assert.equal(isOpen, can(holder, allows), `GET ${route} by ${role}`)
      if (posts && !can(holder, allowsPost))
        assert.equal((await person.post(path)).status, 403, `POST ${route} by ${role}`)
    }
  }
})

test('no page shows a role a link or form that it can’t use', async (t) => {
  const site = await startAdmin(t)
  for (const role of ['manager', 'editor', 'office', 'viewer'] as const) {
    const person = await addPerson(site, role)
    const [left, seen] = [['/admin'], new Set<string>()]
    for (let path = left.shift(); path !== undefined && seen.size < 60; path = left.shift()) {
      const route = path.split(/[?#]/)[0] ?? ''
      if (seen.has(route)) continue
      seen.add(route)
      const { links, forms } = await readLinks(person, path)
      left.push(...links)
      for (const action of forms)
        assert.notEqual(
          await statusOfPost(site, role, action),
          403,
          `${role}: a form on ${path} posts to ${action}`,
        )
    }
    assert.ok(seen.size >= 4, `${role} sees ${[...seen]}`)
  }
})

test('a sentence never ends with the words of a link that the role can’t use', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const service = await addEntry(db, 'services', { slug: 'drains', title: 'Drains 🏠' })
  const places = await addPlaces(db, 'ennis')
  const ids = { service, place: places.get('ennis') as number }
  const local = await addEntry(db, 'location_services', { slug: 'drains/ennis', ...ids })
  const [publish, editor, localEditor] = [
    '/admin/publish',
    `/admin/entries/services/${service}`,
    `/admin/entries/location_services/${local}`,
  ]
  const owner = await addPerson(site, 'owner')
  await waitFor(
    async () => (await readAnswer(await owner.fetch(publish))).queryAllByText(/no address/).length > 0,
  )
  for (const [role, path, words, isLink] of [
    ['owner', publish, 'Edit', true],
    ['editor', publish, /Add the address in the settings\.$/, false],
    ['owner', editor, 'Sections for all pages', true],
    ['editor', editor, 'Turn sections on or off, or change their order.', false],
    ['editor', localEditor, 'Add review', true],
    ['viewer', localEditor, 'No reviews yet.', false],
    ['editor', editor, 'Upload picture (new tab)', true],
  ] as const) {
    const page = await readAnswer(await (await addPerson(site, role)).fetch(path))
    if (isLink) assert.ok(page.getAllByRole('link', { name: words }).length > 0, `${role}: ${words}`)
    else assert.ok(page.getByText(words), `${role}: ${words}`)
  }
  const viewer = await addPerson(site, 'viewer')
  const seen = await readAnswer(await viewer.fetch(editor))
  assert.equal(seen.queryAllByText('Upload picture (new tab)').length, 0)
})

test('lists and notices leave out the words of links that the role can’t use', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const check = async (path: string, words: string, roles: Record<'shows' | 'hides', Role>) => {
    for (const role of [roles.shows, roles.hides]) {
      const person = await addPerson(site, role)
      const html = await (await person.fetch(path)).text()
      assert.equal(html.includes(words), role === roles.shows, `${role}: ${words}`)
    }
  }
  for (const path of ['/admin', '/admin/inbox'])
    await check(path, 'Show forms', { shows: 'owner', hides: 'office' })
  await db.deleteFrom('content_entries').execute()
  await check('/admin', 'Add your first service', { shows: 'owner', hides: 'viewer' })
  await saveSiteSettings(db, { ...DEFAULT_SITE_SETTINGS, name: 'Acme' }, { now: new Date().toISOString() })
  await check('/admin/publish/changes', 'Versions', { shows: 'owner', hides: 'editor' })
  const fault = { code: 'path_expected' as const, params: { path: 'pages/about.md' } }
  await replaceFileErrors(db, [{ path: 'about.md', line: 1, fault }], { server: undefined })
  await check('/admin/publish', 'Show errors', { shows: 'owner', hides: 'viewer' })
})

async function readLinks(person: Person, path: string) {
  const response = await person.fetch(path)
  assert.notEqual(response.status, 403, `a link to ${path}`)
  const html = response.headers.get('content-type')?.startsWith('text/html') ? await response.text() : ''
  const links = [...html.matchAll(/<a [^>]*?href="(\/admin[^"]*)"/g)].map(([, href = '']) => href)
  const enabled = html.replace(/<form[^>]*><fieldset disabled class="contents">.*?<\/fieldset><\/form>/gs, '')
  const posted = [...enabled.matchAll(/<form method="post"(?: action="([^"]*)")?[^>]*>/g)].map(
    ([, to]) => to ?? path,
  )
  const own = [...enabled.matchAll(/formaction="([^"]*)"/g)].map(([, to = '']) => to)
  return { links: links.filter((href) => !href.includes('logout')), forms: [...posted, ...own] }
}

async function statusOfPost(
  site: Parameters<typeof addPerson>[0],
  role: Role,
  action: string,
): Promise<number> {
  const person = await addPerson(site, role)
  // Without fields: what is wrong with them comes after the role.
  return (await person.post(action)).status
}
