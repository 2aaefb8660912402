import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { createPostLog } from '#src/submissions/limits/post-log.ts'
import { deleteRecentUploads } from '#src/submissions/limits/recent-upload-store.ts'
import { createUploadRoom, UPLOAD_LIMIT, type UploadRoom } from '#src/submissions/limits/upload-room.ts'
import { openTestDatabase } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { waitFor } from '../../support/running-site.ts'

const MIB = 1024 * 1024
const MINUTE = 60_000
const ADDRESS = '198.51.100.9'

const engine = postgresEngine()
after(() => engine.close())

/** A server with a clock that is moved by hand. */
function aServer(db: Kysely<Schema>, clock: { time: number }) {
  const now = () => new Date(clock.time)
  const secretKeys = fixedRing(new Uint8Array(32).fill(7))
  const limits = createPostLimits({ db, limits: [{ count: 1_000, windowMs: MINUTE }], secretKeys, now })
  return (mebibytes: number, address = ADDRESS, form = 1) => limits.takeUpload(form, address, mebibytes * MIB)
}

function settle(room: UploadRoom | undefined, mebibytes: number) {
  assert.ok(room?.kind === 'taken')
  room.settle(mebibytes * MIB)
}

async function waitForBytes(db: Kysely<Schema>, bytes: number) {
  await waitFor(async () => {
    const rows = await db.selectFrom('recent_uploads').select('bytes').where('bytes', '=', bytes).execute()
    return rows.length > 0
  })
}

test('contract §2 on PostgreSQL the uploads of an address to a form count on all servers', async () => {
  const db = await engine.openMigrated()
  const clock = { time: Date.parse('2026-11-20T10:00:00.000Z') }
  const [one, two] = [aServer(db, clock), aServer(db, clock)]
  const first = await one(512)
  clock.time += 10 * MINUTE + 1
  assert.deepEqual(await two(512), { kind: 'too_many', retryAfterSeconds: 3_000 })
  assert.equal((await two(512, '198.51.100.10')).kind, 'taken')
  assert.equal((await two(512, ADDRESS, 2)).kind, 'taken')
  settle(first, 500)
  await waitForBytes(db, 500 * MIB)
  // What was refused or given back doesn't count on this server either.
  assert.equal((await one(11)).kind, 'taken')
  clock.time += 1
  assert.equal((await two(1)).kind, 'taken')
  assert.deepEqual(await two(1), { kind: 'too_many', retryAfterSeconds: 3_600 })
  clock.time += 60 * MINUTE
  assert.equal((await two(511)).kind, 'taken')
  const rows = await db.selectFrom('recent_uploads').select(['started_at', 'bytes']).orderBy('id').execute()
  assert.deepEqual(
    rows.map((row) => `${row.started_at} ${row.bytes / MIB}`),
    [
      '2026-11-20T10:10:00.001Z 500',
      '2026-11-20T10:10:00.001Z 512',
      '2026-11-20T10:10:00.001Z 512',
      '2026-11-20T10:10:00.001Z 11',
      '2026-11-20T10:10:00.002Z 1',
      '2026-11-20T11:10:00.002Z 511',
    ],
  )
  await deleteRecentUploads(db, { before: new Date('2026-11-20T11:10:00.002Z') })
  assert.equal((await db.selectFrom('recent_uploads').select('id').execute()).length, 1)
})

test('contract §2 on PostgreSQL uploads before midnight count on all servers', async () => {
  const db = await engine.openMigrated()
  const clock = { time: Date.parse('2026-11-20T23:59:00.000Z') }
  const first = await aServer(db, clock)(512)
  clock.time += 2 * MINUTE
  assert.deepEqual(await aServer(db, clock)(1), { kind: 'too_many', retryAfterSeconds: 58 * 60 })
  settle(first, 512)
})

test('an upload counts with its announced size, then with the received one, by the MiB', async (t) => {
  const clock = { time: Date.parse('2026-11-20T10:00:00.000Z') }
  const take = aServer(await openTestDatabase(t), clock)
  const first = await take(510.5)
  const second = await take(0.5)
  assert.deepEqual(await take(1), { kind: 'too_many', retryAfterSeconds: 3_600 })
  clock.time += MINUTE
  settle(first, 510)
  const third = await take(1)
  assert.equal(third.kind, 'taken')
  assert.equal((await take(1)).kind, 'too_many')
  settle(third, 0)
  assert.equal((await take(1)).kind, 'taken')
  settle(second, 0)
  clock.time += 59 * MINUTE
  assert.equal((await take(1)).kind, 'taken')
  assert.deepEqual(await take(1), { kind: 'too_many', retryAfterSeconds: 60 })
})

test('an upload that the database could not count takes no room', async (t) => {
  const uploads = createPostLog([UPLOAD_LIMIT])
  // SQLite knows no `set local`.
  const sharedDb = await openTestDatabase(t)
  const room = createUploadRoom({ uploads, sharedDb, now: () => new Date('2026-11-20T10:00:00.000Z') })
  const take = () => room.take(() => ({ current: 'ada', earlier: [] }), 512 * MIB)
  await assert.rejects(take())
  await assert.rejects(take())
})
