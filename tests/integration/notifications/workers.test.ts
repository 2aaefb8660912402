import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import { createKeeperTurn } from '#src/notifications/claim-keeper.ts'
import { insertMails } from '#src/notifications/mail-store.ts'
import { createMailWorker } from '#src/notifications/mail-worker.ts'
import { claimDue, type Outbox } from '#src/notifications/outbox-store.ts'
import { AT_ONCE } from '#src/notifications/outbox-turns.ts'
import { insertReply } from '#src/notifications/replies/reply-store.ts'
import { createReplyWorker } from '#src/notifications/replies/reply-worker.ts'
import type { MailOutcome } from '#src/notifications/send-mail.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { storeForm } from '#tests/support/forms.ts'
import { aMailLook } from '#tests/support/mail-look.ts'
import { pgliteEngine } from '#tests/support/postgres-engine.ts'
import { waitFor } from '#tests/support/running-site.ts'

const CREATED_AT = '2026-11-20T10:00:00.000Z'
const SENT: MailOutcome = { kind: 'sent', response: '250 ok' }
const REFUSED: MailOutcome = {
  ...{ kind: 'failed', message: '550 5.1.1 <ann@example.com> unknown' },
  ...{ isFinal: true, isUncertain: false },
}
const LEASE = new Date(Date.now() + 3_600_000).toISOString()
const DEAD_CLAIM = { status: 'sending', lease_expires_at: LEASE, claimed_by: 'dead' } as const
const pglite = pgliteEngine()
after(() => pglite.close())

const LEAD_MAIL = {
  ...{ formName: 'Quote', serviceName: undefined, places: [], answers: [], replyTo: undefined },
  ...{
    cameFrom: undefined,
    pageUrl: undefined,
    leadUrl: 'https://www.example.com/admin/inbox/7',
    templates: {},
  },
  submittedAt: CREATED_AT,
  locale: { country: 'US', language: 'en-US', timeZone: 'UTC' },
  look: aMailLook(),
  subject: { answers: {}, meta: {}, choices: new Map() },
}
const REPLY = {
  ...{ subject: 'Thank you', text: 'Thank you.', replyTo: undefined, look: aMailLook(), language: 'en' },
  filledFrom: { answers: {}, meta: {}, choices: new Map() } as never,
}

interface Started {
  send?: (count: number) => Promise<MailOutcome> | MailOutcome
  /** Runs before the content is loaded. */
  load?: () => void
  now?: () => Date
}

/** Both workers share this much. */
const WORKERS: Record<
  Outbox,
  (options: Parameters<typeof createMailWorker>[0]) => ReturnType<typeof createMailWorker>
> = {
  notification_mails: createMailWorker,
  reply_mails: (options) =>
    createReplyWorker({
      ...options,
      describe: async (mail) => {
        await options.describe(mail)
        return REPLY
      },
    }),
}
const OUTBOXES = Object.keys(WORKERS) as Outbox[]

/** Stores leads with an email to send for each. */
async function addMails(db: Kysely<Schema>, outbox: Outbox, count: number) {
  const { id: formId } = await storeForm(db, 'quote')
  for (let number = 0; number < count; number++) {
    const lead = { form_id: formId, data_json: '{}', submitted_at: CREATED_AT }
    const { id } = await db
      .insertInto('form_submissions')
      .values(lead)
      .returning('id')
      .executeTakeFirstOrThrow()
    const mail = { submissionId: id, formId, recipient: `v${number}@example.com`, createdAt: CREATED_AT }
    if (outbox === 'notification_mails') await insertMails(db, [mail])
    else await insertReply(db, { ...mail, limitKey: mail.recipient, reason: null })
  }
}

function start(
  t: TestContext,
  db: Kysely<Schema>,
  outbox: Outbox,
  { send = () => SENT, load, now = () => new Date() }: Started = {},
) {
  const log: unknown[] = []
  const sent: string[] = []
  const worker = WORKERS[outbox]({
    db,
    send: async ({ recipient }) => {
      sent.push(recipient)
      return send(sent.length)
    },
    describe: async () => {
      load?.()
      return LEAD_MAIL
    },
    now,
    retryAt: (_attempt, failedAt) => new Date(failedAt.getTime() + 3_600_000),
    messageHost: 'www.example.com',
    logger: {
      info: (details) => log.push(['info', details]),
      warn: (details) => log.push(['warn', details]),
      error: (details) => log.push(['error', String((details as { err: unknown }).err)]),
    },
  })
  atEnd(t, () => worker.stop({ withinMs: 0 }))
  worker.start()
  return { worker, log, sent }
}

const rowsOf = (db: Kysely<Schema>, outbox: Outbox) =>
  db
    .selectFrom(outbox)
    .select(['status', 'outcome_code', 'attempt_count', 'next_attempt_at', 'lease_expires_at'])
    .orderBy('id')
    .execute()
const statesOf = async (db: Kysely<Schema>, outbox: Outbox) =>
  (await rowsOf(db, outbox)).map(({ status, outcome_code }) => outcome_code ?? status)

for (const outbox of OUTBOXES) {
  test(`${outbox}: more emails than go out at once are all sent, and then the worker rests`, async (t) => {
    const db = await openTestDatabase(t)
    await addMails(db, outbox, 2 * AT_ONCE + 1)
    let looks = 0
    const now = () => {
      looks++
      return new Date()
    }
    const startedAt = performance.now()
    const { sent } = start(t, db, outbox, { now })
    await waitFor(async () => (await statesOf(db, outbox)).every((state) => state === 'sent'))
    assert.ok(performance.now() - startedAt < 5_000)
    assert.equal(new Set(sent).size, 2 * AT_ONCE + 1)
    await delay(20)
    looks = 0
    await delay(60)
    assert.ok(looks <= 5, `${looks} looks at the clock`)
  })

  test(`${outbox}: the log names the email and lead, and leaves out what the server quotes`, async (t) => {
    const db = await openTestDatabase(t)
    await addMails(db, outbox, 2)
    const { log } = start(t, db, outbox, { send: (count) => (count === 1 ? SENT : REFUSED) })
    await waitFor(() => log.length === 2)
    const name = outbox === 'reply_mails' ? 'replyId' : 'mailId'
    assert.deepEqual(log, [
      ['info', { [name]: 1, submissionId: 1, status: 'sent' }],
      ['warn', { [name]: 2, submissionId: 2, status: 'failed', failure: '550 5.1.1' }],
    ])
  })

  test(`${outbox}: an email that was sent while the database refused writes is recorded later, not sent again`, async (t) => {
    for (const ending of ['wake', 'stop'] as const) {
      const db = await openTestDatabase(t)
      await addMails(db, outbox, 1)
      const { worker, log, sent } = start(t, db, outbox, {
        async send() {
          await sql`pragma query_only = 1`.execute(db)
          return SENT
        },
      })
      await waitFor(() => log.length > 0)
      await delay(50)
      assert.match(String(log), /^error,SqliteError: attempt to write a readonly database$/)
      assert.deepEqual(await statesOf(db, outbox), ['sending'])
      await sql`pragma query_only = 0`.execute(db)
      await worker[ending]()
      await waitFor(async () => (await statesOf(db, outbox))[0] === 'sent')
      assert.equal(sent.length, 1)
    }
  })

  test(`${outbox}: emails whose content can’t be loaded stay pending, and are tried again a second later`, async (t) => {
    const db = await openTestDatabase(t)
    await addMails(db, outbox, AT_ONCE + 1)
    let loaded = 0
    const { worker, log, sent } = start(t, db, outbox, {
      load() {
        loaded++
        throw new Error('no content')
      },
    })
    await waitFor(() => log.length >= AT_ONCE)
    await delay(100)
    // Other emails don't wait for those.
    assert.ok(loaded <= AT_ONCE + 1, `loaded ${loaded} times`)
    assert.deepEqual(log[0], ['error', 'Error: no content'])
    await worker.stop()
    assert.equal(sent.length, 0)
    const rows = await rowsOf(db, outbox)
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(['pending']))
    assert.deepEqual(new Set(rows.map(({ attempt_count }) => attempt_count)), new Set([0]))
  })

  test(`${outbox}: each server renews its own claims, and ends those that nobody renewed for four seconds`, async (t) => {
    const db = await openTestDatabase(t)
    await addMails(db, outbox, 4)
    const claim = async (limit: number) => claimDue(db, outbox, { now: new Date(), limit, leaseMs: 60_000 })
    const mine = await claim(1)
    const [dead, alive] = [...(await claim(1)), ...(await claim(1))]
    // An older program has leases without names.
    const old = await claim(1)
    await db
      .updateTable(outbox)
      .set({ claimed_by: null })
      .where('id', '=', old[0]?.id ?? 0)
      .execute()
    let clock = 5_000_000
    t.mock.method(performance, 'now', () => clock)
    const ended: (readonly { id: number }[])[] = []
    const now = new Date(Date.now() + 5_000)
    const turn = createKeeperTurn({
      ...{ db, outbox, held: () => mine, now: () => now },
      endDead: async (claims) => void ended.push(claims),
    })
    for (const step of [0, 1_000, 1_000, 1_000, 999]) {
      clock += step
      const lease = { lease_expires_at: new Date(clock).toISOString() }
      await db
        .updateTable(outbox)
        .set(lease)
        .where('id', '=', alive?.id ?? 0)
        .execute()
      await turn()
    }
    assert.deepEqual(ended, [])
    clock += 1
    await turn()
    assert.deepEqual(
      ended.flat().map(({ id }) => id),
      [dead?.id],
    )
    const leases = (await rowsOf(db, outbox)).map(({ lease_expires_at }) => lease_expires_at)
    assert.deepEqual(
      [leases[0], leases[1]],
      [new Date(now.getTime() + 120_000).toISOString(), dead?.leaseExpiresAt],
    )
  })
}

test('a process that holds no claim renews none', async (t) => {
  const db = await openTestDatabase(t)
  await addMails(db, 'reply_mails', 1)
  const [claim] = await claimDue(db, 'reply_mails', { now: new Date(), limit: 1, leaseMs: 60_000 })
  const endDead = async () => assert.fail('nobody died')
  await createKeeperTurn({ db, outbox: 'reply_mails', held: () => [], endDead, now: () => new Date() })()
  assert.equal((await rowsOf(db, 'reply_mails'))[0]?.lease_expires_at, claim?.leaseExpiresAt)
})

test('a reply claimed by an older program ends with its lease, and no earlier', async (t) => {
  const db = await openTestDatabase(t)
  await addMails(db, 'reply_mails', 3)
  const { worker, sent } = start(t, db, 'reply_mails')
  await waitFor(async () => (await statesOf(db, 'reply_mails')).every((state) => state === 'sent'))
  const claimed = (id: number, lease_expires_at: string, claimed_by: string | null) =>
    db
      .updateTable('reply_mails')
      .set({ status: 'sending', lease_expires_at, claimed_by })
      .where('id', '=', id)
      .execute()
  await claimed(1, CREATED_AT, null)
  await claimed(2, LEASE, null)
  await claimed(3, CREATED_AT, 'this server')
  worker.wake()
  await waitFor(async () => (await statesOf(db, 'reply_mails'))[0] === 'interrupted')
  assert.deepEqual((await statesOf(db, 'reply_mails')).slice(1), ['sending', 'sending'])
  assert.equal(sent.length, 3)
})

test('another server sends the emails of one that died and ends its replies, but none that is being sent', async (t) => {
  const db = await pglite.openMigrated()
  for (const outbox of OUTBOXES) {
    await addMails(db, outbox, 1)
    await db.updateTable(outbox).set(DEAD_CLAIM).execute()
    await addMails(db, outbox, 1)
  }
  // Each look at this clock moves it, so that the keeper doesn't pause.
  let clock = performance.now()
  t.mock.method(performance, 'now', () => (clock += 1_500))
  const wait = (condition: () => Promise<boolean>) => waitFor(condition, Number.POSITIVE_INFINITY)
  const release = Promise.withResolvers<void>()
  const send = async (count: number) => {
    if (count === 1) await release.promise
    return SENT
  }
  const started = OUTBOXES.map((outbox) => start(t, db, outbox, { send }))
  await wait(async () => (await statesOf(db, 'reply_mails'))[0] === 'interrupted')
  await wait(async () => (await statesOf(db, 'notification_mails'))[0] === 'pending')
  for (const outbox of OUTBOXES) {
    const leaseOf = async () => (await rowsOf(db, outbox))[1]?.lease_expires_at
    for (let renewals = 0; renewals < 5; renewals++) {
      const before = await leaseOf()
      await wait(async () => (await leaseOf()) !== before)
    }
    assert.equal((await statesOf(db, outbox))[1], 'sending')
  }
  release.resolve()
  await wait(async () => (await statesOf(db, 'reply_mails'))[1] === 'sent')
  await wait(async () => (await statesOf(db, 'notification_mails')).every((state) => state === 'sent'))
  assert.deepEqual(
    started.map(({ sent }) => sent.length),
    [2, 1],
  )
  // This process no longer holds what it has sent.
  for (const outbox of OUTBOXES)
    await db.updateTable(outbox).set(DEAD_CLAIM).where('status', '=', 'sent').execute()
  await wait(async () => (await statesOf(db, 'reply_mails'))[1] === 'interrupted')
  await wait(async () => (await statesOf(db, 'notification_mails')).every((state) => state === 'pending'))
})
