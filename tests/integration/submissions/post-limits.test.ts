import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { createSenderNames } from '#src/submissions/limits/sender-names.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aDesk, countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'

const KEY = new Uint8Array(32).fill(9)
const ADDRESS = '198.51.100.9'
const TWO_PER_MINUTE = [{ count: 2, windowMs: 60_000 }]

/** A desk with limits and a clock that is moved by hand. A second one over the same database is a restart. */
function aLimitedDesk(db: Kysely<Schema>, { limits = TWO_PER_MINUTE, at = '2026-11-20T10:00:00.000Z' } = {}) {
  const clock = { time: Date.parse(at) }
  const now = () => new Date(clock.time)
  const desk = aDesk(db, { now, limits: createPostLimits({ db, limits, secretKeys: fixedRing(KEY), now }) })
  const post = (body: Record<string, unknown> = {}, address = ADDRESS, slug = 'quote') =>
    desk.accept(slug, body, { address })
  return { clock, desk, post }
}

test('contract §2 the post over the limit is refused with the seconds to wait', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const { clock, post } = aLimitedDesk(db)
  assert.equal((await post()).kind, 'accepted')
  clock.time += 20_000
  assert.equal((await post()).kind, 'accepted')
  clock.time += 500
  assert.deepEqual(await post(), { kind: 'too_many', retryAfterSeconds: 40 })
  clock.time += 40_000
  assert.equal((await post()).kind, 'accepted')
  assert.equal(await countRows(db, 'form_submissions'), 3)
})

test('contract §2 limits count per address and per form', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  await storeForm(db, 'other')
  const { post } = aLimitedDesk(db, { limits: [{ count: 1, windowMs: 60_000 }] })
  await post()
  assert.equal((await post()).kind, 'too_many')
  assert.equal((await post({}, '198.51.100.10')).kind, 'accepted')
  assert.equal((await post({}, ADDRESS, 'other')).kind, 'accepted')
})

test('contract §2 only accepted posts count, not invalid or repeated ones', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote', { fields: [{ name: 'email', label: 'Email', type: 'email', required: true }] })
  const { post } = aLimitedDesk(db)
  const body = { _id: randomUUID(), email: 'ada@example.com' }
  for (let attempt = 0; attempt < 5; attempt += 1) assert.equal((await post()).kind, 'invalid')
  assert.equal((await post(body)).kind, 'accepted')
  for (let attempt = 0; attempt < 5; attempt += 1) assert.equal((await post(body)).kind, 'repeated')
  assert.equal((await post({ email: 'ada@example.com' })).kind, 'accepted')
  assert.equal((await post({ email: 'ada@example.com' })).kind, 'too_many')
  // What is stored already is answered as before, however many posts came since.
  assert.equal((await post(body)).kind, 'repeated')
})

test('contract §2 concurrent posts count toward the same limit', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const { post } = aLimitedDesk(db, { limits: [{ count: 20, windowMs: 60_000 }] })
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => post()))
  assert.equal(outcomes.filter(({ kind }) => kind === 'accepted').length, 20)
  assert.equal(await countRows(db, 'form_submissions'), 20)
})

test('contract §2 limits survive a restart and midnight', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const before = aLimitedDesk(db, { at: '2026-11-20T23:59:50.000Z' })
  await before.post()
  await before.post()
  before.clock.time += 20_000
  assert.equal((await before.post()).kind, 'too_many')
  const after = aLimitedDesk(db, { at: '2026-11-21T00:00:10.000Z' })
  assert.deepEqual(await after.post(), { kind: 'too_many', retryAfterSeconds: 40 })
  assert.equal((await after.post({}, '198.51.100.10')).kind, 'accepted')
})

test('contract §2 addresses are stored only as hashes that differ by day and form', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  await storeForm(db, 'other')
  const { clock, post } = aLimitedDesk(db)
  await post()
  await post({}, ADDRESS, 'other')
  clock.time += 86_400_000
  await post()
  const rows = await db.selectFrom('recent_posts').selectAll().execute()
  assert.equal(new Set(rows.map((row) => row.address_hash)).size, 3)
  for (const row of rows) assert.match(row.address_hash, /^[\w-]{22}$/)
  const submissions = await db.selectFrom('form_submissions').selectAll().execute()
  assert.ok(!JSON.stringify([rows, submissions]).includes(ADDRESS))
})

test('posts without an address, and all posts with limits off, are never limited', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const { desk } = aLimitedDesk(db, { limits: [{ count: 1, windowMs: 60_000 }] })
  for (let post = 0; post < 3; post += 1) assert.equal((await desk.accept('quote', {})).kind, 'accepted')
  const unlimited = aDesk(db)
  for (let post = 0; post < 3; post += 1) {
    assert.equal((await unlimited.accept('quote', {}, { address: ADDRESS })).kind, 'accepted')
  }
})

test('contract §2 limits still count after the hash key is replaced, also after a restart', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const next = new Uint8Array(32).fill(8)
  const now = () => new Date('2026-11-20T00:00:30.000Z')
  let keys = [KEY]
  const open = () => {
    const limits = createPostLimits({ db, limits: TWO_PER_MINUTE, secretKeys: () => keys, now })
    return aDesk(db, { now, limits })
  }
  const post = (desk: ReturnType<typeof open>) => desk.accept('quote', {}, { address: ADDRESS })
  const desk = open()
  assert.equal((await post(desk)).kind, 'accepted')
  keys = [next, KEY]
  assert.equal((await post(desk)).kind, 'accepted')
  assert.equal((await post(desk)).kind, 'too_many')
  assert.equal((await post(open())).kind, 'too_many', 'after a restart')
  const rows = await db.selectFrom('recent_posts').select('address_hash').execute()
  assert.equal(new Set(rows.map((row) => row.address_hash)).size, 2, 'the new key hashes from then on')
})

test('contract §2 a post that could not be stored does not count', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const { post } = aLimitedDesk(db, { limits: [{ count: 1, windowMs: 60_000 }] })
  await sql`create trigger refuse before insert on form_submissions
    begin select raise(abort, 'not today'); end`.execute(db)
  await assert.rejects(post())
  await assert.rejects(post())
  await sql`drop trigger refuse`.execute(db)
  assert.equal((await post()).kind, 'accepted')
  assert.equal((await post()).kind, 'too_many')
})

test('contract §2 a restart counts every stored post, once the database can be read', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'quote')
  const filler = Array.from({ length: 2_000 }, (_, index) => ({
    ...{ address_hash: `hash ${index}`, posted_at: '2026-11-20T09:59:59.000Z', upload_bytes: 0 },
  }))
  await db.insertInto('recent_posts').values(filler).execute()
  await aLimitedDesk(db).post()
  await aLimitedDesk(db).post()
  const { clock, post } = aLimitedDesk(db)
  await sql`alter table recent_posts rename to recent`.execute(db)
  await assert.rejects(post())
  await sql`alter table recent rename to recent_posts`.execute(db)
  clock.time += 10_000
  assert.deepEqual(await post(), { kind: 'too_many', retryAfterSeconds: 50 })
  const third = aLimitedDesk(db, { limits: [{ count: 3, windowMs: 60_000 }] })
  assert.equal((await third.post()).kind, 'accepted', 'each counts once')
})

test('the names of senders stay the same in every release', () => {
  const nameOf = createSenderNames(fixedRing(KEY), { longestMs: 60_000 })
  const { current, earlier } = nameOf(1, ADDRESS, Date.parse('2026-11-20T00:00:10.000Z'))
  assert.deepEqual([current, ...earlier], ['FCzkQQ4TvN86cLrai3Yo34', '4gVL3DwOQjrk8uG7528T56'])
})
