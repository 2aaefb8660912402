import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { temporaryFolder } from '#tests/support/database.ts'
import { startReceiver } from '#tests/support/receiver.ts'
import { PROJECT_DIR, startSite, waitFor } from '#tests/support/running-site.ts'
import { signIn } from '#tests/support/sign-in.ts'

/** Made by commit d6f11e1 with `npm start`, posts of visitors, and an administrator who sorted them and set a header. */
const DATA_FOLDER = join(PROJECT_DIR, 'tests/fixtures/data-folder-d6f11e1.tar.gz')
const ACCOUNT = { email: 'owner@example.com', password: 'correct horse battery' }

type Rows = Record<string, Record<string, unknown>[]>

const KEPT_TABLES = [
  ...[
    'form_submissions',
    'submission_notes',
    'uploads',
    'forms',
    'form_fields',
    'form_versions',
    'form_webhooks',
  ],
  ...['content_types', 'content_entries', 'taxonomies', 'taxonomy_terms', 'published_addresses', 'publishes'],
  ...['webhook_deliveries', 'delivery_bodies', 'delivery_attempts', 'notification_mails', 'admin_users'],
]
/** What a delivery and a sign-in change, what is sealed again, and sentences that are codes now. */
const CHANGED_COLUMNS = new Set([
  ...['webhook_deliveries.status', 'webhook_deliveries.attempt_count', 'webhook_deliveries.last_error'],
  ...['webhook_deliveries.next_attempt_at', 'webhook_deliveries.finished_at', 'form_webhooks.failing_since'],
  ...['admin_users.last_signed_in_at', 'form_webhooks.headers_json', 'form_webhooks.signing_secret'],
  ...['form_submissions.spam_reason', 'webhook_deliveries.outcome_reason', 'form_webhooks.disabled_reason'],
  'notification_mails.last_error',
])

test('a data folder of an older version starts with this one and loses nothing', async (t) => {
  const receiver = await startReceiver(t, 200)
  const { dataDir, contentDir, rows: before } = unpack(t, receiver.url)
  const environment = { OFFICE_TOKEN: 'of-the-office', OLD_SECRET: 'old-signing-secret' }
  const site = await startSite(t, { dataDir, contentDir, environment })
  for (const path of ['/', '/about', '/services/ac-repair', '/services/ac-repair/texas', '/forms/quote'])
    assert.equal((await fetch(site.url + path)).status, 200, path)

  const cookie = await signIn(site.url, ACCOUNT)
  const get = (path: string) => fetch(site.url + path, { headers: { cookie } })
  const lead = await (await get('/admin/inbox/1')).text()
  for (const text of ['Ann Lee', 'Ann@example.com', 'Called back, wants Tuesday.'])
    assert.ok(lead.includes(text), text)
  const [file = ''] = lead.match(/\/admin\/[^"]*files[^"]*/) ?? []
  const bytes = Buffer.from(await (await get(file)).arrayBuffer())
  assert.deepEqual([...bytes.subarray(0, 4)], [0x89, ...Buffer.from('PNG')], file)

  const requests = await receiver.waitForRequests(3)
  const toTexas = requests.find(({ path }) => path === '/leads')
  assert.equal(toTexas?.headers.authorization, 'Bearer typed-secret-of-the-office')
  assert.equal(JSON.parse(toTexas?.body ?? '').data.submission.answers.full_name, 'Dee Texan')
  await waitFor(() => readRows(dataDir).webhook_deliveries?.every(({ status }) => status !== 'pending'))

  const after = readRows(dataDir)
  for (const [table, rows] of Object.entries(before)) {
    assert.ok(rows.length > 0, table)
    assert.deepEqual(differences(table, rows, after[table] ?? []), [], table)
  }
  assert.deepEqual(
    after.webhook_deliveries?.map(({ status }) => status),
    before.webhook_deliveries?.map(({ status }) => (status === 'pending' ? 'delivered' : status)),
  )
  const [failed, none] = ['rule_failed', null]
  assert.deepEqual(
    after.webhook_deliveries?.map(({ outcome_code }) => outcome_code),
    [failed, none, failed, none, failed, 'spam', none, failed],
  )
  assert.deepEqual(
    after.form_submissions?.map(({ spam_code }) => spam_code),
    [null, null, 'by_hand', null],
  )
})

/** The data folder with its webhooks at the receiver, everything that is pending due. */
function unpack(t: TestContext, receiverUrl: string) {
  const folder = temporaryFolder(t)
  execFileSync('tar', ['-xzf', DATA_FOLDER, '-C', folder])
  const dataDir = join(folder, 'data')
  const contentDir = join(folder, 'content')
  const db = new SqliteDatabase(join(dataDir, 'signpost.db'))
  db.prepare("update form_webhooks set url = replace(url, 'http://127.0.0.1:9', ?)").run(receiverUrl)
  db.exec(
    "update webhook_deliveries set next_attempt_at = '2026-11-20T00:00:00.000Z' where status = 'pending'",
  )
  db.close()
  const form = join(contentDir, 'forms/quote.yaml')
  writeFileSync(form, readFileSync(form, 'utf8').replaceAll('http://127.0.0.1:9', receiverUrl))
  return { dataDir, contentDir, rows: readRows(dataDir) }
}

function readRows(dataDir: string): Rows {
  const db = new SqliteDatabase(join(dataDir, 'signpost.db'), { readonly: true })
  const entries = KEPT_TABLES.map((table) => [table, db.prepare(`select * from ${table} order by 1`).all()])
  db.close()
  return Object.fromEntries(entries)
}

function differences(table: string, before: Rows[string], after: Rows[string]) {
  return before.flatMap((row, index) =>
    Object.entries(row)
      .filter(([column, value]) => {
        const now = after[index]?.[column]
        const isKept = column === 'schema_json' ? hasFieldsOf(now, value) : now === value
        return !CHANGED_COLUMNS.has(`${table}.${column}`) && !isKept
      })
      .map(([column, value]) => `${index} ${column}: ${value} is ${after[index]?.[column]}`),
  )
}

/** Returns true if a built-in type has the fields it had, whatever was added. */
function hasFieldsOf(now: unknown, former: unknown): boolean {
  const [fields, formerFields] = [now, former].map((json) => JSON.parse(String(json)).fields as object[])
  const known = new Set(fields?.map((field) => JSON.stringify(field)))
  return formerFields?.every((field) => known.has(JSON.stringify(field))) ?? false
}
