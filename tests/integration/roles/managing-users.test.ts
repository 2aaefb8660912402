import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccount, findAdministrator } from '#src/auth/administrator-store.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { readAnswer } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { addPlaces } from '../../support/small-site.ts'

const ACTIONS = [
  '',
  '/access',
  '/invitation',
  '/removal',
  '/suspension',
  '/sessions/removal',
  '/two-factors/removal',
]

async function storeTerms({ app: { db } }: AdminSite) {
  await addPlaces(db, 'ohio')
  const rows = await db.selectFrom('taxonomy_terms').select(['id', 'slug']).execute()
  const ids = new Map(rows.map(({ id, slug }) => [slug, id]))
  return (slug: string) => ids.get(slug) as number
}

const accessOf = async ({ app: { db } }: AdminSite, id: number) => {
  const { role, limits } = (await findAdministrator(db, id)) ?? {}
  return { role, limits }
}

test('users can’t open or change accounts above them, with wider access, or their own', async (t) => {
  const site = await startAdmin(t)
  const place = await storeTerms(site)
  const inTexas = { places: [place('texas')] }
  const manager = await addPerson(site, 'manager')
  const texan = await addPerson(site, 'manager', inTexas)
  const [viewer, ohioan] = [
    await addPerson(site, 'viewer'),
    await addPerson(site, 'viewer', { places: [place('ohio')] }),
  ]
  const pairs: [Person, number][] = [
    [manager, site.administratorId],
    [manager, manager.id],
    [texan, manager.id],
    [texan, viewer.id],
    [texan, ohioan.id],
  ]
  for (const [actor, id] of pairs) {
    const before = await accessOf(site, id)
    for (const action of ACTIONS) {
      const path = `/admin/users/${id}${action}`
      const isOwnPage = action === '' && actor.id === id
      if (!isOwnPage) assert.equal((await actor.fetch(path)).status, 404, path)
      const posted = (await actor.post(path, { role: 'viewer' })).status
      assert.ok(posted === 404 || posted === 405, `${path} answered ${posted}`)
    }
    assert.deepEqual(await accessOf(site, id), before)
  }
  const austin = await addPerson(site, 'office', { places: [place('austin')] })
  assert.equal((await texan.fetch(`/admin/users/${austin.id}`)).status, 200, 'Austin is in Texas')
  const listed = await (await texan.fetch('/admin/users')).text()
  assert.deepEqual([listed.includes(austin.email), listed.includes(ohioan.email)], [true, false])
})

test('users can’t assign a role, place, or form that they don’t have', async (t) => {
  const site = await startAdmin(t)
  const place = await storeTerms(site)
  const manager = await addPerson(site, 'manager')
  const texan = await addPerson(site, 'manager', { places: [place('texas')], forms: [1] })
  const email = 'new@example.com'
  const invite = (person: Person, fields: Record<string, string | string[]>) =>
    person.post('/admin/users/new', { email, name: '', ...fields })
  const texas = String(place('texas'))
  const refused: [Person, Record<string, string | string[]>][] = [
    [manager, { role: 'owner' }],
    [texan, { role: 'owner', places: [texas], forms: ['1'] }],
    [texan, { role: 'viewer' }],
    [texan, { role: 'viewer', places: [texas] }],
    [texan, { role: 'viewer', forms: ['1'] }],
    [texan, { role: 'viewer', places: [texas, String(place('ohio'))], forms: ['1'] }],
    [texan, { role: 'viewer', places: [String(place('usa'))], forms: ['1'] }],
    [texan, { role: 'viewer', places: [texas], forms: ['1', '2'] }],
    [manager, { role: 'admin' }],
    [manager, {}],
  ]
  for (const [person, fields] of refused) {
    assert.equal((await invite(person, fields)).status, 422, JSON.stringify(fields))
    assert.equal(await findAccount(site.app.db, email), undefined)
  }
  const below = { role: 'office', places: [String(place('austin'))], forms: ['1'] }
  assert.equal((await invite(texan, below)).status, 200)
  const invited = await findAccount(site.app.db, email)
  assert.deepEqual(invited?.administrator.limits, { places: [place('austin')], forms: [1] })
  const id = invited?.administrator.id
  const raised = await texan.post(`/admin/users/${id}/access`, { role: 'office' })
  assert.equal(raised.status, 422, 'no limits would be more than they have')
})

test('roles and limits can’t be posted to other pages', async (t) => {
  const site = await startAdmin(t)
  const viewer = await addPerson(site, 'viewer', { places: [1] })
  const before = await accessOf(site, viewer.id)
  const more = { role: 'owner', places: ['2'], place_limit_json: '', limits: '', form_limit_json: '' }
  await viewer.post('/admin/account', { name: 'V', ...more })
  await viewer.post('/admin/account/password', { current: 'x', password: 'tangerine ladder fog', ...more })
  assert.deepEqual(await accessOf(site, viewer.id), before)
})

test('changing a role ends the user’s sessions, is logged, and applies at once', async (t) => {
  const site = await startAdmin(t)
  const editor = await addPerson(site, 'editor')
  assert.equal((await editor.fetch('/admin/entries')).status, 200)
  const changed = await site.post(`/admin/users/${editor.id}/access`, { role: 'office', forms: ['1'] })
  assert.equal(changed.headers.get('location'), `/admin/users/${editor.id}`)
  assert.equal((await editor.fetch('/admin/entries')).status, 303, 'signed out')
  assert.match(
    (await newestChanges(site))[0] ?? '',
    new RegExp(`^Changed access for ${editor.email} to Office · `),
  )
  assert.deepEqual(await accessOf(site, editor.id), { role: 'office', limits: { places: null, forms: [1] } })
  const limited = await readAnswer(
    await site.post(`/admin/users/${editor.id}/access`, { role: 'owner', forms: ['1'] }),
    422,
  )
  limited.getByText(/^Owners see everything\./)
})

test('a deleted place or form doesn’t widen access and stays selected in the user’s form', async (t) => {
  const site = await startAdmin(t)
  const office = await addPerson(site, 'office', { places: [777], forms: [888] })
  const page = await site.open(`/admin/users/${office.id}/access`)
  const fields = Array.from(page.element.querySelectorAll<HTMLInputElement>('main [type=checkbox]:checked'))
  assert.deepEqual(
    fields.map(({ name, value }) => `${name} ${value}`),
    ['places[] 777', 'forms[] 888'],
  )
  const inbox = await readAnswer(await office.fetch('/admin/inbox?status=all'))
  assert.deepEqual(inbox.queryAllByRole('checkbox', { name: /^Select/ }), [])
})

test('a user’s places are always among the choices, so that a save keeps the limit', async (t) => {
  const site = await startAdmin(t)
  const lines = Array.from({ length: 305 }, (_, index) => `county-${index}/town-${index}`)
  const ids = await addPlaces(site.app.db, ...lines)
  const own = ids.get('county-304') as number
  const office = await addPerson(site, 'office', { places: [own] })
  const page = await site.open(`/admin/users/${office.id}/access`)
  const chosen = page.element.querySelectorAll<HTMLInputElement>('main [name="places[]"]:checked')
  assert.deepEqual(
    Array.from(chosen, ({ value }) => value),
    [String(own)],
  )
  await site.post(`/admin/users/${office.id}/access`, {
    role: 'viewer',
    places: Array.from(chosen, ({ value }) => value),
  })
  assert.deepEqual((await accessOf(site, office.id)).limits?.places, [own])
})

test('of two owners who concurrently remove, disable, or demote each other one remains', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  await db.updateTable('admin_users').set({ role: 'viewer' }).where('id', '=', site.administratorId).execute()
  for (const [action, fields] of [
    ['removal', {}],
    ['suspension', {}],
    ['access', { role: 'viewer' }],
  ] as const) {
    const [ann, bob] = [await addPerson(site, 'owner'), await addPerson(site, 'owner')]
    await Promise.all([
      ann.post(`/admin/users/${bob.id}/${action}`, fields),
      bob.post(`/admin/users/${ann.id}/${action}`, fields),
    ])
    const owners = await db
      .selectFrom('admin_users')
      .select('id')
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .execute()
    assert.equal(owners.length, 1, action)
    await db.deleteFrom('admin_users').where('id', 'in', [ann.id, bob.id]).execute()
  }
})

test('only owners see and change site-wide code', async (t) => {
  const site = await startAdmin(t)
  const manager = await addPerson(site, 'manager')
  const { db } = site.app
  const stored = async () => (await findSiteSettings(db)).tags?.head
  const form = await readAnswer(await manager.fetch('/admin/settings'))
  assert.equal(form.element.querySelectorAll('[name^="tags"]').length, 0)
  const own = await site.open('/admin/settings')
  const fields = valuesOf(own.element)
  assert.ok('tags.head' in fields)
  const tagged = { ...fields, 'tags.head': '<meta name="x" content="y">', name: 'Managed' }
  assert.equal((await manager.post('/admin/settings', tagged)).status, 303)
  assert.equal(await stored(), undefined)
  const again = valuesOf((await site.open('/admin/settings')).element)
  assert.equal(again.name, 'Managed')
  assert.equal(
    (await site.post('/admin/settings', { ...again, 'tags.head': tagged['tags.head'] })).status,
    303,
  )
  assert.match(String(await stored()), /meta name/)
  const kept = valuesOf((await readAnswer(await manager.fetch('/admin/settings'))).element)
  assert.equal((await manager.post('/admin/settings', { ...kept, name: 'Kept' })).status, 303)
  assert.match(String(await stored()), /meta name/, 'a form without the fields removes nothing')
})

function valuesOf(page: Element): Record<string, string> {
  const controls = page.querySelectorAll<HTMLInputElement>(
    'main :is(input, select, textarea)[name]:not([name="theme"])',
  )
  const usable = Array.from(controls).filter(({ type, checked }) => !/radio|checkbox/.test(type) || checked)
  return Object.fromEntries(usable.map(({ name, value }) => [name, value]))
}
