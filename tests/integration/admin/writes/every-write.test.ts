import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '#src/admin/access/routes.ts'
import type { App } from '#src/app.ts'
import { startAdmin } from '#tests/support/admin.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { startFront } from '#tests/support/front.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { storeAccount, storeInvited } from '#tests/support/stored/accounts.ts'
import { storeContentType, storePages, storeServices } from '#tests/support/stored/content.ts'
import { storeFormWithLeads } from '#tests/support/stored/leads.ts'
import { keysAdded, listChanges, readTables, type Tables } from '#tests/support/stored/table-changes.ts'
import { ACCOUNT_WRITES } from './account-writes.ts'
import { CONTENT_WRITES } from './content-writes.ts'
import { DELIVERY_WRITES } from './delivery-writes.ts'
import { ENTRANCE_WRITES } from './entrance-writes.ts'
import { ENTRY_WRITES } from './entry-writes.ts'
import { FILTER_WRITES } from './filter-writes.ts'
import { FORM_WRITES } from './form-writes.ts'
import { INBOX_WRITES } from './inbox-writes.ts'
import { PICTURE_WRITES } from './picture-writes.ts'
import { PREVIEW_WRITES } from './preview-writes.ts'
import { PRIVACY_WRITES } from './privacy-writes.ts'
import { SITE_WRITES } from './site-writes.ts'
import { TERM_WRITES } from './term-writes.ts'
import { USER_WRITES } from './user-writes.ts'
import { WEBHOOK_WRITES } from './webhook-writes.ts'
import type { Arranged, Scene, Write } from './write.ts'

const WRITES = [
  ...[ENTRANCE_WRITES, ACCOUNT_WRITES, USER_WRITES, INBOX_WRITES, FORM_WRITES, WEBHOOK_WRITES],
  ...[FILTER_WRITES, DELIVERY_WRITES, ENTRY_WRITES, CONTENT_WRITES, TERM_WRITES, SITE_WRITES, PICTURE_WRITES],
  ...[PRIVACY_WRITES, PREVIEW_WRITES],
].flat()

/** Answers 404 to everything; see guard.test.ts. */
const NOT_FOUND = '/admin/[...path]'

/** Works until the first account is there; see the last test. */
const SETUP = '/admin/setup'

const SUBJECT_TABLES: Readonly<Record<string, string>> = {
  ...{ user: 'admin_users', form: 'forms', webhook: 'form_webhooks', entry: 'content_entries' },
  ...{
    taxonomy: 'taxonomies',
    content_type: 'content_types',
    picture: 'library_pictures',
    filter: 'saved_filters',
    preview: 'publish_previews',
  },
}

test('the table of writes covers every admin route with posts or a password prompt', () => {
  const written = new Set(WRITES.map(({ route, method = 'POST' }) => `${method} ${route}`))
  const expected = Object.entries(ROUTES).flatMap(([route, { posts, needs }]) => {
    if (posts) return route === NOT_FOUND || route === SETUP ? [] : [`POST ${route}`]
    return needs === 'fresh_password' ? [`GET ${route}`] : []
  })
  const missing = expected.filter((request) => !written.has(request))
  assert.deepEqual(missing, [], 'add what these do to tests/integration/admin/writes')
})

test('each admin write is logged once and changes only its subject', async (t) => {
  const { app, url } = await startAdmin(t, { environment: { CONTENT_DIR: temporaryFolder(t) } })
  // What is pending stays pending.
  await app.dispatcher.stop()
  await storeBystanders(app)
  for (const [index, write] of WRITES.entries()) {
    await t.test(`${write.route} ${write.does}`, async () => {
      const name = `write-${index}`
      const actor = await storeAccount(app, name)
      const scene = { app, actor, name }
      const arranged = await write.arrange(scene)
      assert.match(arranged.path.replace(/\?.*/, ''), patternOf(write.route))
      const before = readTables(app.config)
      const response = await send(url, write, { cookie: actor.cookie, ...arranged })
      const text = await response.text()
      await waitFor(async () => !app.publishing.isRunning())
      const after = readTables(app.config)
      await arranged.undo?.()
      const isRight = arranged.status ? response.status === arranged.status : response.status < 400
      assert.ok(isRight, `answered ${response.status}: ${text.slice(0, 2_000)}`)
      assert.deepEqual(
        entriesAdded(before, after),
        expectedEntries(scene, write, arranged, { before, after }),
      )
      const changes = [...arranged.changes, ...(arranged.logs ? ['audit_log added'] : [])]
      assert.deepEqual(listChanges(before, after), changes.sort())
    })
  }
})

test('creating the first account is logged', async (t) => {
  const { app, url } = await startFront(t)
  const email = 'ada@example.com'
  const body = new URLSearchParams({ email, name: 'Ada', password: 'a ladder in the fog' })
  const before = readTables(app.config)
  const path = `/admin/setup?code=${await app.setup.findCode()}`
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { origin: url },
    body,
    redirect: 'manual',
  })
  const after = readTables(app.config)
  assert.equal(response.status, 303)
  const [id] = keysAdded(before, after, 'admin_users')
  assert.deepEqual(entriesAdded(before, after), [
    {
      ...{ action: 'user.added', subject: `user ${id}`, summary: 'Created the first account' },
      ...{ user_id: Number(id), user_email: email, address: '127.0.0.1' },
    },
  ])
  assert.deepEqual(listChanges(before, after), [
    'admin_sessions added',
    'admin_users added',
    'audit_log added',
  ])
})

/** What no write may touch: two of everything that the rows make for themselves, with the same names where they can. */
async function storeBystanders(app: App): Promise<void> {
  await storeAccount(app, 'bystander')
  await storeAccount(app, 'bystander-two')
  await storeInvited(app, 'bystander-three')
  await storeFormWithLeads(app, 'bystander')
  await storeServices(app, 'bystander')
  await storePages(app, 'bystander')
  await storeContentType(app, 'bystander')
  await app.db
    .insertInto('sign_in_failures')
    .values({ account_sha256: 'of a bystander', address: '192.0.2.7', failed_at: new Date().toISOString() })
    .execute()
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/\[\w+\]/g, '[^/]+')}$`)
}

function send(
  url: string,
  { method = 'POST' }: Write,
  { path, fields = {}, files, cookie }: Arranged,
): Promise<Response> {
  const headers = { origin: url, accept: 'text/html', 'user-agent': 'Firefox', ...(cookie && { cookie }) }
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : value.map((item) => [`${name}[]`, item]),
  )
  const body = method === 'POST' ? bodyOf(pairs, files) : null
  return fetch(url + path, { method, headers, body, redirect: 'manual' })
}

function bodyOf(pairs: string[][], files: Arranged['files']): URLSearchParams | FormData {
  if (!files) return new URLSearchParams(pairs)
  const body = new FormData()
  for (const [name = '', value = ''] of pairs) body.append(name, value)
  for (const [name, bytes] of Object.entries(files))
    body.append(name, new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  return body
}

function entriesAdded(before: Tables, after: Tables) {
  return keysAdded(before, after, 'audit_log').map((key) => {
    const entry = JSON.parse(after.get('audit_log')?.get(key)?.json as string)
    const subject = entry.subject_type === null ? null : `${entry.subject_type} ${entry.subject_id}`
    const { action, summary, user_id, user_email, address } = entry
    return { action, subject, summary, user_id, user_email, address }
  })
}

function expectedEntries(
  { actor }: Scene,
  { unlogged }: Write,
  { logs, by = actor }: Arranged,
  { before, after }: { before: Tables; after: Tables },
) {
  assert.equal(logs === undefined, unlogged !== undefined, 'either an entry or a reason')
  if (!logs) return []
  const newId = (type: string) => keysAdded(before, after, SUBJECT_TABLES[type] as string)[0]
  const subject = logs.subject?.replace(/^(\w+) new$/, (_, type) => `${type} ${newId(type)}`) ?? null
  const user_id = by.id === 'new' ? Number(newId('user')) : by.id
  return [{ ...logs, subject, user_id, user_email: by.email, address: '127.0.0.1' }]
}
