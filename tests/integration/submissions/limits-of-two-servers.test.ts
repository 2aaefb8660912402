import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { createSetup } from '#src/auth/setup.ts'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { fixedRing } from '#src/lib/key-ring.ts'
import { insertMails } from '#src/notifications/mail-store.ts'
import { createMailWorker } from '#src/notifications/mail-worker.ts'
import { describeSubmission } from '#src/submissions/intake/notification-content.ts'
import { createPostLimits } from '#src/submissions/limits/post-limits.ts'
import { aDesk, countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { aMailLook } from '../../support/mail-look.ts'
import { needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { waitFor } from '../../support/running-site.ts'

const ADDRESS = '198.51.100.9'
const MIB = 1024 * 1024
const servers: Kysely<Schema>[] = []
let close: (() => Promise<void>) | undefined

before(async () => {
  if (needsPostgres.skip) return
  const ends: (() => unknown)[] = []
  const { url } = await postgresDatabase({ after: (end: () => unknown) => void ends.push(end) } as never)
  servers.push(connectDatabase(url), connectDatabase(url))
  close = async () => {
    await Promise.all(servers.map((db) => db.destroy()))
    for (const end of ends.reverse()) await end()
  }
  await migrate(servers[0] as Kysely<Schema>)
  await storeForm(servers[0] as Kysely<Schema>, 'quote')
})
after(() => close?.())

const now = () => new Date()
const limitsOf = (db: Kysely<Schema>, count = 10, key = 7) =>
  createPostLimits({
    db,
    limits: [{ count, windowMs: 3_600_000 }],
    secretKeys: fixedRing(new Uint8Array(32).fill(key)),
    now,
  })

test('contract §2 two servers together accept exactly as many posts as one', needsPostgres, async () => {
  const desks = servers.map((db) => aDesk(db, { limits: limitsOf(db) }))
  const posts = Array.from({ length: 60 }, (_, index) =>
    desks[index % 2]?.accept('quote', {}, { address: index % 3 === 0 ? '198.51.100.10' : ADDRESS }),
  )
  const kinds = (await Promise.all(posts)).map((outcome) => outcome?.kind)
  assert.equal(kinds.filter((kind) => kind === 'accepted').length, 20)
  assert.equal(kinds.filter((kind) => kind === 'too_many').length, 40)
  assert.equal(await countRows(servers[0] as Kysely<Schema>, 'form_submissions'), 20)
  const rows = await servers[0]?.selectFrom('recent_posts').select('id').execute()
  const counted = await servers[0]?.selectFrom('lead_changes').select('leads').execute()
  assert.deepEqual([rows?.length, counted?.length], [20, 20])
})

test('contract §2 two servers together accept uploads up to the limit', needsPostgres, async () => {
  const [one, two] = servers.map((db) => limitsOf(db, 10, 8))
  assert.ok(one && two)
  const taken = await Promise.all(
    Array.from({ length: 12 }, (_, index) => (index % 2 ? one : two).takeUpload(1, ADDRESS, 64 * MIB)),
  )
  assert.equal(taken.filter(({ kind }) => kind === 'taken').length, 8)
})

test(
  'the setup link of any server creates the first account, and two at once create one',
  needsPostgres,
  async () => {
    const [one, two] = servers.map((db) => createSetup(db))
    assert.ok(one && two)
    const code = await one.findCode()
    const otherCode = await two.findCode()
    assert.ok(code && otherCode)
    assert.deepEqual([await two.isOpenFor(code), await one.isOpenFor(otherCode)], [true, true])
    assert.equal(await two.isOpenFor('another'), false)
    const account = (email: string) => ({ email, name: null, password: 'a long enough password' })
    const outcomes = await Promise.all([
      one.createFirst(account('ann@example.com'), { now: now() }),
      two.createFirst(account('bob@example.com'), { now: now() }),
    ])
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['invalid', 'saved'])
    assert.deepEqual([await one.isOpenFor(code), await two.findCode()], [false, undefined])
    assert.deepEqual(await servers[0]?.selectFrom('setup_codes').selectAll().execute(), [])
  },
)

test(
  '§6.3 an email claimed by a dead server is sent within seconds, regardless of its clock',
  needsPostgres,
  async (t) => {
    const [db] = servers
    assert.ok(db)
    const submission = await db.selectFrom('form_submissions').select('id').executeTakeFirstOrThrow()
    const createdAt = now().toISOString()
    await insertMails(db, [
      { submissionId: submission.id, formId: 1, recipient: 'ann@example.com', createdAt },
    ])
    const claim = {
      status: 'sending',
      claimed_by: 'dead',
      lease_expires_at: '2999-01-01T00:00:00.000Z',
    } as const
    await db.updateTable('notification_mails').set(claim).execute()
    const sent: string[] = []
    const worker = createMailWorker({
      db,
      send: async ({ recipient }) => {
        sent.push(recipient)
        return { kind: 'sent', response: '250 ok' }
      },
      describe: (mail) =>
        describeSubmission(db, mail, { siteUrl: 'https://www.example.com', look: aMailLook() }),
      retryAt: (_, at) => at,
      messageHost: 'www.example.com',
      logger: { info() {}, warn() {}, error: (details: object) => assert.fail(JSON.stringify(details)) },
    })
    worker.start()
    t.after(() => worker.stop())
    await waitFor(() => sent.length > 0)
    assert.deepEqual(sent, ['ann@example.com'])
  },
)
