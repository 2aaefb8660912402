import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAssignees, listColleagues } from '#src/admin/inbox/list-assignees.ts'
import {
  accessValues,
  chosenOf,
  createAccessNames,
  loadAccessChoices,
  toAccess,
} from '#src/admin/users/access-form.ts'
import { describeFactors } from '#src/admin/users/describe-factors.ts'
import { findOtherUser } from '#src/admin/users/find-other-user.ts'
import { listManaged } from '#src/admin/users/list-managed.ts'
import type { Administrator } from '#src/auth/administrator.ts'
import { findAdministrator, insertAdministrator, updateDisabled } from '#src/auth/administrator-store.ts'
import { type Limits, NO_LIMITS, type Role } from '#src/auth/roles/role.ts'
import type { Db } from '#src/db/schema.ts'
import { openTestDatabase } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { addPlaces } from '../../support/small-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const NONE = { places: [], forms: [] }

async function addUser(db: Db, name: string, role: Role, limits: Partial<Limits> = {}) {
  const account = { email: `${name}@example.com`, name: null, passwordHash: 'x', role, now: NOW }
  const id = await insertAdministrator(db, { ...account, limits: { ...NO_LIMITS, ...limits } })
  return (await findAdministrator(db, id ?? 0)) as Administrator
}

const emailsOf = (people: readonly Administrator[]) => people.map(({ email }) => email.split('@')[0])

test('a lead is assigned to active users who may work on it', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'texas/austin', 'ohio')
  const [texas = 0, austin = 0, ohio = 0] = ['texas', 'austin', 'ohio'].map((slug) => places.get(slug))
  const owner = await addUser(db, 'ann', 'owner')
  const viewer = await addUser(db, 'ben', 'viewer')
  const texan = await addUser(db, 'cat', 'office', { places: [texas] })
  await addUser(db, 'dan', 'office', { places: [ohio] })
  await addUser(db, 'eve', 'office', { forms: [3] })
  await updateDisabled(db, (await addUser(db, 'fay', 'owner')).id, NOW.toISOString())
  const invited = { email: 'gus@example.com', name: null, passwordHash: null, now: NOW }
  await insertAdministrator(db, invited)
  const place = { place: { name: 'Austin' } as never, placeIds: [austin, texas] }
  const of = async (lead: Parameters<typeof listAssignees>[1], names = place) =>
    emailsOf(await listAssignees(db, lead, names))
  assert.deepEqual(await of({ formId: 3, assigneeId: null }), ['ann', 'cat', 'eve'])
  assert.deepEqual(await of({ formId: 4, assigneeId: null }), ['ann', 'cat'])
  assert.deepEqual(await of({ formId: null, assigneeId: null }), ['ann', 'cat'])
  // Whoever has the lead stays in the list.
  assert.deepEqual(await of({ formId: 4, assigneeId: viewer.id }), ['ann', 'ben', 'cat'])
  const gone = { place: undefined, placeIds: [austin, texas] } as never
  assert.deepEqual(await of({ formId: 3, assigneeId: null }, gone), ['ann', 'eve'])
  assert.deepEqual(emailsOf(await listColleagues(db, owner)), ['ann', 'cat', 'dan', 'eve'])
  assert.deepEqual(emailsOf(await listColleagues(db, texan)), ['cat'])
})

test('a user changes only accounts within their role and limits', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'texas/austin', 'ohio')
  const inTexas = { places: [places.get('texas') as number] }
  const owner = await addUser(db, 'ann', 'owner')
  const manager = await addUser(db, 'ben', 'manager')
  const texan = await addUser(db, 'cat', 'manager', inTexas)
  const austinite = await addUser(db, 'dan', 'office', { places: [places.get('austin') as number] })
  const ohioan = await addUser(db, 'eve', 'office', { places: [places.get('ohio') as number] })
  const seenBy = async (self: Administrator) =>
    (await listManaged(db, self)).map(({ user, isManaged }) => `${emailsOf([user])}${isManaged ? ' +' : ''}`)
  assert.deepEqual(await seenBy(owner), ['ann', 'ben +', 'cat +', 'dan +', 'eve +'])
  assert.deepEqual(await seenBy(manager), ['ann', 'ben', 'cat +', 'dan +', 'eve +'])
  assert.deepEqual(await seenBy(texan), ['cat', 'dan +'])
  const find = async (administrator: Administrator, id: string) =>
    (await findOtherUser({ locals: { administrator, app: { db } } as never, params: { id } }))?.id
  assert.equal(await find(texan, String(austinite.id)), austinite.id)
  for (const id of [owner.id, texan.id, ohioan.id, '1.5', ''])
    assert.equal(await find(texan, String(id)), undefined, String(id))
})

test('access is given up to the own role, and within the own limits', async (t) => {
  const db = await openTestDatabase(t)
  const places = await addPlaces(db, 'texas/austin', 'ohio')
  const [texas = 0, austin = 0] = ['texas', 'austin'].map((slug) => places.get(slug))
  const { id, name } = await storeForm(db, 'quote')
  const form = { id, name }
  const owner = await addUser(db, 'ann', 'owner')
  const texan = await addUser(db, 'ben', 'manager', { places: [texas, 999_999], forms: [form.id] })
  const all = await loadAccessChoices(db, owner, NONE)
  assert.deepEqual(
    all.roles.map(({ value, label }) => [value, label]),
    [
      ['owner', 'Owner'],
      ['manager', 'Manager'],
      ['editor', 'Editor'],
      ['office', 'Office'],
      ['viewer', 'Viewer'],
    ],
  )
  assert.match(all.roles[1]?.hint ?? '', /^Full access, except/)
  assert.ok(all.forms.length > 1)
  const named = all.places.filter(({ id }) => [...places.values()].includes(id))
  assert.deepEqual(
    named.map(({ name, depth }) => [name, depth]),
    [
      ['Texas', 0],
      ['Austin', 1],
      ['Ohio', 0],
    ],
  )
  const own = await loadAccessChoices(db, texan, NONE)
  assert.deepEqual(
    own.roles.map(({ value }) => value),
    ['manager', 'editor', 'office', 'viewer'],
  )
  assert.deepEqual(
    own.places.map(({ id }) => id),
    [texas, austin],
  )
  assert.deepEqual(own.forms, [form])
})

test('deleted places and forms stay selected, because no selection means all', async (t) => {
  const db = await openTestDatabase(t)
  const owner = await addUser(db, 'ann', 'owner')
  const { places, forms } = await loadAccessChoices(db, owner, {
    places: ['999', 'x', '-1'],
    forms: ['998', '1'],
  })
  assert.deepEqual(places.at(-1), { id: 999, name: 'deleted', depth: 0 })
  assert.deepEqual(
    forms.filter(({ name }) => name === 'deleted'),
    [{ id: 998, name: 'deleted' }],
  )
  const describe = await createAccessNames(db)
  const named = describe({ role: 'office', limits: { places: [999], forms: [998] } })
  assert.deepEqual(named, { role: 'Office', places: ['deleted'], forms: ['deleted'] })
  assert.deepEqual(describe({ role: 'owner', limits: NO_LIMITS }), { role: 'Owner', places: [], forms: [] })
})

test('a long list of places offers the selected ones and the upper levels', async (t) => {
  const db = await openTestDatabase(t)
  const owner = await addUser(db, 'ann', 'owner')
  const slugs = Array.from({ length: 301 }, (_, at) => `usa/place-${at}`)
  const places = await addPlaces(db, ...slugs, 'ohio/dayton')
  const [usa = 0, last = 0] = ['usa', 'place-300'].map((slug) => places.get(slug))
  const offered = async (chosen: number[]) =>
    (await loadAccessChoices(db, owner, { ...NONE, places: chosen.map(String) })).places.map(({ id }) => id)
  const upper = await offered([])
  assert.ok(upper.includes(usa) && !upper.includes(last))
  const withLast = await offered([last])
  assert.ok(withLast.includes(usa) && withLast.includes(last))
  assert.equal(withLast.length, upper.length + 1)
  // The posted form holds at most 300.
  const chosen = [...places.values()].slice(0, 301)
  const most = await offered(chosen)
  assert.equal(most.length, 300)
  assert.deepEqual(
    most.filter((id) => !chosen.includes(id)),
    [],
  )
})

test('an empty selection means everything', () => {
  const everything = { role: 'office', limits: NO_LIMITS } as const
  assert.deepEqual(toAccess({ role: 'office', ...NONE }), everything)
  assert.deepEqual(toAccess({ role: 'office', places: [3], forms: [4] }).limits, { places: [3], forms: [4] })
  assert.deepEqual(accessValues(everything), { role: 'office', places: [], forms: [] })
  assert.deepEqual(accessValues({ role: 'viewer', limits: { places: [3], forms: [4] } }), {
    ...{ role: 'viewer', places: ['3'], forms: ['4'] },
  })
  assert.deepEqual(chosenOf({ places: '3', forms: ['4', '5'] }), { places: ['3'], forms: ['4', '5'] })
  assert.deepEqual(chosenOf({}), NONE)
})

test('a user’s second factors are named if they are passkeys', () => {
  const of = (hasTwoFactors: boolean, hasPasskeys: boolean) => describeFactors({ hasTwoFactors, hasPasskeys })
  assert.deepEqual([of(false, false), of(true, false)], [{ status: 'off' }, { status: 'on' }])
  assert.deepEqual(of(false, true), { status: 'on', label: 'Passkey' })
  assert.deepEqual(of(true, true), { status: 'on', label: 'On, with passkey' })
})
