import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { assertWithin } from '../support/assert-within.ts'
import { startSiteOn } from '../support/bare-site.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { countRows, storeWebhook } from '../support/desk.ts'
import { storeForm } from '../support/forms.ts'
import { startMailServer } from '../support/mail-server.ts'
import { needsPostgres, postgresDatabase } from '../support/postgres-database.ts'
import { startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/running-site.ts'
import { printFigure } from '../support/soak.ts'

const POST_WITHIN_MS = 5_000
const HEALTH_WITHIN_MS = 2_000
const RESUMED_WITHIN_MS = 10_000
const FORM_ID = 1

// They wait most of the time, each for a site and its own database.
describe('a database that fails', { concurrency: 4 }, () => {
  test(
    'a silent database is noticed: posts get 503 within 5 s, /health within 2 s, and both recover with it',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const proxy = await startDatabaseProxy(t, database.url)
      const site = await startSiteOn(t, proxy.url)
      // A crowd, so that connections of the pool are open when the silence begins.
      for (const { status } of await Promise.all(Array.from({ length: 20 }, () => site.post())))
        assert.equal(status, 201)
      assert.equal((await site.health()).status, 200)

      proxy.silence()
      const [posts, healths] = await Promise.all([
        Promise.all(Array.from({ length: 8 }, () => site.post())),
        Promise.all([site.health(), site.health()]),
      ])
      for (const { status, retryAfter, tookMs } of posts) {
        assert.deepEqual([status, retryAfter], [503, '5'])
        assertWithin(tookMs, POST_WITHIN_MS, 'The answer')
      }
      // The last good answer may be a second old.
      await waitFor(async () => (await site.health()).status === 503)
      for (const { tookMs } of [...healths, await site.health()])
        assertWithin(tookMs, HEALTH_WITHIN_MS, 'The answer')

      proxy.heal()
      const healedAt = performance.now()
      await waitFor(async () => (await site.post()).status === 201)
      await waitFor(async () => (await site.health()).status === 200)
      const healthyMs = performance.now() - healedAt
      assertWithin(healthyMs, RESUMED_WITHIN_MS, 'Recovery')
      const slowest = Math.max(...posts.map(({ tookMs }) => tookMs))
      printFigure(
        t,
        `503 after at most ${Math.round(slowest)} ms, well ${Math.round(healthyMs)} ms after it was back`,
      )
    },
  )

  test(
    'posts resume at once if only the open connections are dead, as after a failover',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const proxy = await startDatabaseProxy(t, database.url)
      const site = await startSiteOn(t, proxy.url)
      await Promise.all(Array.from({ length: 20 }, () => site.post()))
      proxy.silence({ andNew: false })
      const during = await Promise.all(Array.from({ length: 8 }, () => site.post()))
      for (const { status, tookMs } of during) {
        assert.ok(status === 201 || status === 503)
        assertWithin(tookMs, POST_WITHIN_MS, 'The answer')
      }
      // One deadline found it out, and no other dead connection costs another.
      const after = await Promise.all(Array.from({ length: 20 }, () => site.post()))
      assert.deepEqual([...new Set(after.map(({ status }) => status))], [201])
      assertWithin(Math.max(...after.map(({ tookMs }) => tookMs)), POST_WITHIN_MS)
      assert.equal((await site.health()).status, 200)
    },
  )

  test(
    'webhooks and emails resume within 10 s after the database is back, and nothing is lost',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const proxy = await startDatabaseProxy(t, database.url)
      const mails = await startMailServer(t)
      const mail = { SMTP_URL: mails.url, MAIL_FROM: 'site@example.com' }
      const site = await startSiteOn(t, proxy.url, mail)
      const held: ServerResponse[] = []
      const receiver = await startReceiver(t, (response) => held.push(response))
      const { db } = site.app
      await storeWebhook(db, FORM_ID, { url: receiver.url })
      await db
        .updateTable('forms')
        .set({ settings_json: JSON.stringify({ notification_email: 'leads@example.com' }) })
        .execute()
      site.app.desk.invalidate()
      assert.equal((await site.post()).status, 201)
      // The first is in flight when the silence begins, the second waits.
      await receiver.waitForRequests(1)
      const direct = await database.connect()
      proxy.silence()
      for (const response of held.splice(0)) response.writeHead(200).end()
      await direct.query(
        `insert into form_submissions (form_id, data_json) values (1, '{"email":"b@example.com"}')`,
      )
      await direct.query(`insert into webhook_deliveries (submission_id, form_id, webhook_id, message_id, next_attempt_at)
    select max(form_submissions.id), 1, max(form_webhooks.id), 'msg_second', '2026-01-01T00:00:00.000Z'
    from form_submissions, form_webhooks`)
      // Long enough for several turns to fail.
      await waitFor(async () => (await site.health()).status === 503)
      for (let failed = 0; failed < 3; failed += 1) assert.equal((await site.post()).status, 503)

      proxy.heal()
      const healedAt = performance.now()
      await receiver.waitForRequests(2)
      for (const response of held.splice(0)) response.writeHead(200).end()
      await waitFor(async () => {
        const { rows } = await direct.query('select status from webhook_deliveries')
        return rows.length === 2 && rows.every(({ status }) => status === 'delivered')
      })
      await waitFor(async () => {
        const { rows } = await direct.query('select status from notification_mails')
        return rows.length === 1 && rows.every(({ status }) => status === 'sent')
      })
      const resumedMs = performance.now() - healedAt
      assertWithin(resumedMs, RESUMED_WITHIN_MS, 'Recovery')
      const { rows } = await direct.query('select delivery_id from delivery_attempts')
      assert.equal(new Set(rows.map(({ delivery_id }) => delivery_id)).size, rows.length)
      assert.deepEqual([rows.length, receiver.requests.length, mails.received.length], [2, 2, 1])
      printFigure(t, `went on ${Math.round(resumedMs)} ms after it was back`)
    },
  )

  test(
    'a commit with a lost response isn’t a 201, and the same _id stores nothing twice and keeps its file',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const proxy = await startDatabaseProxy(t, database.url)
      const site = await startSiteOn(t, proxy.url)
      await storeForm(site.app.db, 'files', { fields: [{ name: 'photo', label: 'Photo', type: 'file' }] })
      const id = randomUUID()
      const send = async () => {
        const body = new FormData()
        body.set('_id', id)
        body.set('photo', new File([Buffer.from('GIF89a')], 'a.txt', { type: 'text/plain' }))
        const startedAt = performance.now()
        const response = await fetch(`${site.url}/api/forms/files/submissions`, {
          method: 'POST',
          headers: { accept: 'application/json' },
          body,
        })
        return { status: response.status, body: await response.json(), tookMs: performance.now() - startedAt }
      }
      proxy.loseAnswerToCommitOf('insert into "form_submissions"')
      const lost = await send()
      assert.equal(lost.status, 503, JSON.stringify(lost.body))
      assert.match(lost.body.title, /could not confirm/)
      assertWithin(lost.tookMs, POST_WITHIN_MS, 'The answer')
      await waitFor(async () => (await countRows(site.app.db, 'form_submissions')) === 1)
      const again = await send()
      assert.equal(again.status, 200, JSON.stringify(again.body))
      assert.equal(await countRows(site.app.db, 'form_submissions'), 1)
      const upload = await site.app.db
        .selectFrom('uploads')
        .select(['folder', 'file'])
        .executeTakeFirstOrThrow()
      assert.deepEqual(await readdir(join(site.dataDir, 'uploads', upload.folder)), [upload.file])
    },
  )

  test(
    'a webhook and an email are sent once and soon if the response to a claim or a record is lost',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const proxy = await startDatabaseProxy(t, database.url)
      const mails = await startMailServer(t)
      const mail = { SMTP_URL: mails.url, MAIL_FROM: 'site@example.com' }
      const site = await startSiteOn(t, proxy.url, mail)
      const receiver = await startReceiver(t, 200)
      const { db } = site.app
      await storeWebhook(db, FORM_ID, { url: receiver.url })
      const settings_json = JSON.stringify({ notification_email: 'leads@example.com' })
      await db.updateTable('forms').set({ settings_json }).execute()
      site.app.desk.invalidate()
      const direct = await database.connect()
      const lost = [
        'update "webhook_deliveries"',
        'insert into "delivery_attempts"',
        'update "notification_mails"',
        'insert into "mail_attempts"',
      ]
      for (const [index, text] of lost.entries()) {
        proxy.loseAnswerToCommitOf(text)
        assert.equal((await site.post()).status, 201)
        await waitFor(async () => {
          const { rows } = await direct.query(
            "select status from webhook_deliveries where status = 'delivered' union all select status from notification_mails where status = 'sent'",
          )
          return rows.length === 2 * (index + 1)
        })
      }
      for (const table of ['delivery_attempts', 'mail_attempts']) {
        const { rows } = await direct.query(`select count(*)::int as count from ${table}`)
        assert.deepEqual(rows, [{ count: lost.length }], table)
      }
      assert.deepEqual([receiver.requests.length, mails.received.length], [lost.length, lost.length])
    },
  )

  for (const [what, lock] of [
    ['a locked table', 'lock table form_submissions in access exclusive mode'],
    ['an idle transaction that holds the form', 'select id from forms for update'],
    ['an idle transaction that locked the forms', 'lock table forms in access exclusive mode'],
  ] as const) {
    test(
      `${what} refuses posts within 5 s and fails /health within 2 s until released`,
      needsPostgres,
      async (t) => {
        const database = await postgresDatabase(t)
        const site = await startSiteOn(t, database.url)
        assert.equal((await site.post()).status, 201)
        const other = await database.connect()
        await other.query('begin')
        await other.query(lock)
        const posts = await Promise.all([site.post(), site.post(), site.post()])
        const health = await site.health()
        assert.deepEqual(
          [...posts, health].map(({ status }) => status),
          [503, 503, 503, 503],
        )
        for (const { tookMs } of posts) assertWithin(tookMs, POST_WITHIN_MS, 'The answer')
        assertWithin(health.tookMs, HEALTH_WITHIN_MS, 'The answer')
        await other.query('rollback')
        await waitFor(async () => (await site.post()).status === 201)
        await waitFor(async () => (await site.health()).status === 200)
      },
    )
  }

  test(
    'a server starts while another that fell silent during its start still holds locks',
    needsPostgres,
    async (t) => {
      const database = await postgresDatabase(t)
      const secrets = { SECRET_KEY: randomBytes(32).toString('base64') }
      const { app } = await startSiteOn(t, database.url, secrets)
      await storeWebhook(app.db, FORM_ID, { url: 'https://crm.example.com/leads' })
      const silent = await database.connect()
      await silent.query('begin')
      await silent.query('select pg_advisory_xact_lock(3853314791062309107)')
      await silent.query('select * from form_webhooks for no key update')
      await silent.query("select * from settings where key = 'passkey_host' for update")
      const startedAt = performance.now()
      const site = await startSiteOn(t, database.url, secrets)
      assertWithin(performance.now() - startedAt, POST_WITHIN_MS)
      assert.equal((await site.post()).status, 201)
      await silent.query('rollback')
    },
  )

  test('the admin has its own connections: its hanging queries delay no post', needsPostgres, async (t) => {
    const database = await postgresDatabase(t)
    const site = await startSiteOn(t, database.url)
    const other = await database.connect()
    const slow = Array.from({ length: 4 }, () =>
      sql`select pg_sleep(30)`.execute(site.app.db).catch(() => {}),
    )
    const end = 'select pg_terminate_backend(pid) from pg_stat_activity where query = $1'
    const asleep = () =>
      other.query('select 1 from pg_stat_activity where query = $1', ['select pg_sleep(30)'])
    await waitFor(async () => (await asleep()).rows.length >= 3)
    const { status, tookMs } = await site.post()
    assert.equal(status, 201)
    assertWithin(tookMs, POST_WITHIN_MS, 'The answer')
    let areOver = false
    const over = Promise.all(slow).then(() => {
      areOver = true
    })
    await waitFor(async () => {
      await other.query(end, ['select pg_sleep(30)'])
      return areOver
    })
    await over
  })
})
