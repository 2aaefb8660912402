import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { insertSession } from '#src/auth/session-store.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { endPublish, insertPublish } from '#src/publish/publish-store.ts'
import { createHousekeeping } from '#src/server/background/housekeeping.ts'
import { createLeadUpkeep } from '#src/server/background/lead-upkeep.ts'
import { createMetrics } from '#src/server/background/metrics.ts'
import { createMetricsServer } from '#src/server/background/metrics-server.ts'
import type { SubmissionDesk } from '#src/submissions/intake/accept-submission.ts'
import type { Attempt } from '#src/webhooks/sending/send-attempt.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { waitFor } from '../../support/running-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const DAY_MS = 24 * 3_600_000
const before = (ms: number) => new Date(NOW.getTime() - ms).toISOString()

const log = {
  info() {},
  error: (fields: object, message: string) => assert.fail(`${message} ${JSON.stringify(fields)}`),
}

/** Old files of visitors, pictures, thumbnails, and previews below a folder. */
function addOldFiles(dataDir: string) {
  const paths = {
    upload: 'uploads/0123456789abcdef0123456789abcdef/1',
    picture: `pictures/aa/${'a'.repeat(64)}`,
    thumbnail: `picture-thumbnails/${'b'.repeat(64)}-320.webp`,
    preview: `previews/${'c'.repeat(64)}/20261101T100000000Z`,
  }
  for (const path of Object.values(paths)) {
    const file = join(dataDir, path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'old')
    const long = new Date('2020-01-01')
    for (const one of [file, join(file, '..')]) utimesSync(one, long, long)
  }
  return () =>
    Object.entries(paths).flatMap(([name, path]) => (existsSync(join(dataDir, path)) ? [name] : []))
}

async function keepHouse(
  t: TestContext,
  db: Kysely<Schema>,
  options: Partial<Parameters<typeof createHousekeeping>[0]> = {},
) {
  const dataDir = temporaryFolder(t)
  const left = addOldFiles(dataDir)
  const files = openDiskFiles(dataDir)
  const housekeeping = createHousekeeping({
    ...{ db, files, pictureFiles: openPictureFiles(dataDir), dataDir, limits: [], now: () => NOW, log },
    ...options,
  })
  atEnd(t, () => housekeeping.stop())
  housekeeping.start()
  return { housekeeping, left, dataDir }
}

test('housekeeping removes files that nothing refers to', async (t) => {
  const db = await openTestDatabase(t)
  const { housekeeping, left } = await keepHouse(t, db)
  await waitFor(async () => left().length === 0)
  await housekeeping.stop()
  const without = await keepHouse(t, db, { dataDir: undefined as unknown as string })
  await waitFor(async () => left().length === 0 && without.left().length === 2)
  assert.deepEqual(without.left(), ['thumbnail', 'preview'])
})

test('where servers share the files of visitors, only the leader removes them', async (t) => {
  const db = await openTestDatabase(t)
  const store = temporaryFolder(t)
  const shared = { files: openDiskFiles(store), server: 'one', owner: 'one' }
  const preview = `previews/${'d'.repeat(64)}/20261101T100000000Z/0`
  await shared.files.write(preview, new Blob(['part']))
  utimesSync(join(store, preview), new Date('2020-01-01'), new Date('2020-01-01'))
  const own = ['picture', 'thumbnail', 'preview']
  const follower = await keepHouse(t, db, { shared, heartbeat: { leads: () => false } })
  await waitFor(async () => !follower.left().some((one) => own.includes(one)))
  await follower.housekeeping.stop()
  assert.deepEqual(follower.left(), ['upload'])
  assert.ok(!existsSync(join(store, preview)))
  assert.deepEqual(await db.selectFrom('daily_work').select('name').execute(), [])
  const leader = await keepHouse(t, db, { shared, heartbeat: { leads: () => true } })
  await waitFor(async () => (await db.selectFrom('daily_work').select('name').execute()).length === 7)
  await leader.housekeeping.stop()
  assert.deepEqual(leader.left(), [])
  const done = await db.selectFrom('daily_work').select('name').orderBy('name').execute()
  assert.deepEqual(
    done.map(({ name }) => name),
    ['changes', 'counts', 'files', 'retention', 'statistics', 'traces', 'trash'],
  )
})

test('failed sign-ins go after 15 minutes and sessions after their end, also if nobody signs in again', async (t) => {
  const db = await openTestDatabase(t)
  const minute = 60_000
  const hash = 'a'.repeat(64)
  const failures = [15 * minute, 15 * minute - 1].map((ms) => ({
    ...{ account_sha256: hash, address: `${ms}`, failed_at: before(ms) },
  }))
  await db.insertInto('sign_in_failures').values(failures).execute()
  await insertAdministrator(db, { email: 'ann@example.com', name: null, passwordHash: hash, now: NOW })
  const ann = await db.selectFrom('admin_users').select('id').executeTakeFirstOrThrow()
  for (const [created, seen] of [
    [7 * DAY_MS, 0],
    [DAY_MS, 12 * 60 * minute],
    [DAY_MS, 12 * 60 * minute - 1],
  ] as const) {
    const session = { userId: ann.id, tokenSha256: `${created} ${seen}`, address: '::1', userAgent: '' }
    await insertSession(db, { ...session, secondFactor: null }, { now: new Date(before(created)) })
    const last_seen_at = before(seen)
    await db
      .updateTable('admin_sessions')
      .set({ last_seen_at })
      .where('token_sha256', '=', session.tokenSha256)
      .execute()
  }
  const { housekeeping } = await keepHouse(t, db)
  await waitFor(async () => (await db.selectFrom('sign_in_failures').select('id').execute()).length === 1)
  await housekeeping.stop()
  const [failure] = await db.selectFrom('sign_in_failures').select('address').execute()
  assert.equal(failure?.address, `${15 * minute - 1}`)
  const sessions = await db.selectFrom('admin_sessions').select('token_sha256').execute()
  assert.deepEqual(
    sessions.map((session) => session.token_sha256),
    [`${DAY_MS} ${12 * 60 * minute - 1}`],
  )
})

test('traces of visitors stay for an hour or the longest limit, and the change log for 30 days', async (t) => {
  const db = await openTestDatabase(t)
  const hour = 3_600_000
  for (const [limits, keptMs] of [
    [[], hour],
    [[{ count: 1, windowMs: 60_000 }], hour],
    [
      [
        { count: 1, windowMs: 60_000 },
        { count: 9, windowMs: 2 * hour },
      ],
      2 * hour,
    ],
  ] as const) {
    const posts = [keptMs + 1, keptMs - 1].map((ms) => ({ address_hash: `${ms}`, posted_at: before(ms) }))
    await db.insertInto('recent_posts').values(posts).execute()
    const { housekeeping } = await keepHouse(t, db, { limits })
    await waitFor(async () => (await db.selectFrom('recent_posts').select('id').execute()).length === 1)
    await housekeeping.stop()
    const [kept] = await db.deleteFrom('recent_posts').returning('address_hash').execute()
    assert.equal(kept?.address_hash, `${keptMs - 1}`)
  }
  await db.deleteFrom('content_changes').execute()
  const changes = [30 * DAY_MS + 1, 30 * DAY_MS - 1].map((ms) => ({
    ...{ subject: 'entry' as const, action: 'edited' as const, subject_id: `${ms}`, saved_at: before(ms) },
  }))
  await db.insertInto('content_changes').values(changes).execute()
  const days = ['2024-09-10', '2024-09-11', '2026-11', '2024']
  const view = { dimension: 'all' as const, subject: '', place: '', views: 1, taps: 0 }
  await db
    .insertInto('traffic_counts')
    .values(days.map((period) => ({ ...view, period })))
    .execute()
  const { housekeeping } = await keepHouse(t, db)
  const listDays = async () => {
    const rows = await db.selectFrom('traffic_counts').select('period').orderBy('period').execute()
    return rows.map(({ period }) => period)
  }
  await waitFor(async () => (await listDays()).length === 3)
  await housekeeping.stop()
  assert.deepEqual(await listDays(), ['2024', '2024-09-11', '2026-11'])
  const left = await db.selectFrom('content_changes').select('subject_id').execute()
  assert.deepEqual(left, [{ subject_id: `${30 * DAY_MS - 1}` }])
})

test('leads follow the stages in the settings, on the leader', async (t) => {
  const db = await openTestDatabase(t)
  const { id } = await storeForm(db, 'quote')
  const lead = { form_id: id, submitted_at: before(DAY_MS), stage: 'former' }
  await db.insertInto('form_submissions').values(lead).execute()
  const find = async () => (await db.selectFrom('form_submissions').select('stage').executeTakeFirst())?.stage
  const stages = [
    { slug: 'new', name: 'New' },
    { slug: 'done', name: 'Done', counts_as: 'won', replaces: ['former'] },
  ]
  const row = { key: 'site', value_json: JSON.stringify({ stages }) }
  await db.insertInto('settings').values(row).execute()
  let leads = false
  const upkeep = createLeadUpkeep({ db, heartbeat: { leads: () => leads }, log })
  upkeep.start()
  await upkeep.stop()
  assert.equal(await find(), 'former')
  leads = true
  for (const heartbeat of [undefined, { leads: () => leads }]) {
    await db.updateTable('form_submissions').set({ stage: 'former' }).execute()
    const next = createLeadUpkeep({ db, heartbeat, log })
    atEnd(t, () => next.stop())
    next.start()
    await waitFor(async () => (await find()) === 'done')
    await next.stop()
  }
})

async function someMetrics(t: TestContext) {
  const db = await openTestDatabase(t)
  const metrics = createMetrics(db, { machine: 'here', now: () => NOW })
  const lines = async () => (await metrics.text()).split('\n').filter((line) => line.startsWith('signpost_'))
  return { db, metrics, lines }
}

test('metrics count posts by form and outcome, and attempts by outcome', async (t) => {
  const { metrics, lines } = await someMetrics(t)
  const outcomes: object[] = [
    { kind: 'accepted', form: { slug: 'lead' } },
    { kind: 'invalid', form: { slug: 'lead' } },
    { kind: 'accepted', form: { slug: 'lead' } },
    { kind: 'not_found' },
  ]
  const given: unknown[][] = []
  const desk = metrics.countSubmissions({
    accept: async (...post: unknown[]) => {
      given.push(post)
      return outcomes[given.length - 1]
    },
    other: 'kept',
  } as unknown as SubmissionDesk)
  assert.equal((desk as unknown as { other: string }).other, 'kept')
  for (const outcome of outcomes) assert.equal(await desk.accept('a', {}, {} as never), outcome)
  assert.deepEqual(given[0], ['a', {}, {}])
  for (const attempt of [
    { kind: 'delivered', durationMs: 40 },
    { kind: 'failed', failureKind: 'status', durationMs: 12_000 },
  ])
    metrics.countAttempt(attempt as Attempt)
  const found = await lines()
  for (const line of [
    'signpost_submissions_total{form="lead",outcome="accepted"} 2',
    'signpost_submissions_total{form="lead",outcome="invalid"} 1',
    'signpost_submissions_total{form="unknown",outcome="not_found"} 1',
    'signpost_delivery_attempts_total{outcome="delivered"} 1',
    'signpost_delivery_attempts_total{outcome="status"} 1',
    'signpost_delivery_attempt_seconds_bucket{le="0.05"} 1',
    'signpost_delivery_attempt_seconds_bucket{le="10"} 1',
    'signpost_delivery_attempt_seconds_bucket{le="15"} 2',
    'signpost_delivery_attempt_seconds_sum 12.04',
    'signpost_queue_waiting 0',
    'signpost_queue_overdue_seconds 0',
  ])
    assert.ok(found.includes(line), `${line} is missing in\n${found.join('\n')}`)
  assert.ok(!found.some((line) => line.startsWith('signpost_publish_')), 'nothing was published')
})

test('metrics tell how long the queue waits, and the last publishes of this server', async (t) => {
  const { db, lines } = await someMetrics(t)
  const { id } = await storeForm(db, 'quote')
  const add = (next_attempt_at: string) =>
    db.insertInto('webhook_deliveries').values({ form_id: id, status: 'pending', next_attempt_at }).execute()
  await add(new Date(NOW.getTime() + 5_000).toISOString())
  const value = async (name: string) =>
    (await lines()).find((line) => line.startsWith(`${name} `))?.split(' ')[1]
  assert.deepEqual(
    [await value('signpost_queue_waiting'), await value('signpost_queue_overdue_seconds')],
    ['1', '0'],
  )
  await add(before(90_000))
  assert.deepEqual(
    [await value('signpost_queue_waiting'), await value('signpost_queue_overdue_seconds')],
    ['2', '90'],
  )
  const publish = async (machine: string, status: 'published' | 'failed', startedMs: number, ms: number) => {
    const startedBy = 'schedule' as const
    const one = await insertPublish(db, { machine, startedBy, userId: null, startedAt: before(startedMs) })
    await endPublish(db, one, { status, finishedAt: before(startedMs - ms) })
  }
  await publish('here', 'published', 60_000, 1_500)
  await publish('there', 'published', 30_000, 9_000)
  await publish('here', 'failed', 20_000, -1_000)
  await insertPublish(db, { machine: 'here', startedBy: 'schedule', userId: null, startedAt: before(1_000) })
  const ended = NOW.getTime() / 1_000
  assert.deepEqual((await lines()).filter((line) => line.startsWith('signpost_publish_')).sort(), [
    `signpost_publish_ended_timestamp_seconds{status="failed"} ${ended - 21}`,
    `signpost_publish_ended_timestamp_seconds{status="published"} ${ended - 58.5}`,
    'signpost_publish_seconds{status="failed"} 0',
    'signpost_publish_seconds{status="published"} 1.5',
  ])
})

test('metrics are for programs on this machine, and 503 while the database is away', async (t) => {
  const { db, metrics } = await someMetrics(t)
  const server = createMetricsServer(metrics).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, () => server.close())
  const { port } = server.address() as AddressInfo
  function ask(host: string, path = '/metrics', method = 'GET') {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
    const options = { host: '127.0.0.1', port, path, method, headers: { host } }
    request(options, (response) => {
      const { 'content-type': type, 'retry-after': after, connection } = response.resume().headers
      resolve([response.statusCode, type ?? after ?? connection])
    })
      .on('error', reject)
      .end()
    return promise
  }
  const shown = [200, metrics.contentType]
  for (const host of ['127.0.0.1', `LOCALHOST:${port}`, '[::1]:80', '[::1]', '192.0.2.1'])
    assert.deepEqual(await ask(host), shown, host)
  assert.deepEqual(await ask('localhost', '/metrics', 'HEAD'), shown)
  for (const host of ['rebound.example', 'localhost.example', '127.0.0.1:80x'])
    assert.deepEqual(await ask(host), [421, 'close'], host)
  assert.deepEqual(await ask('localhost', '/metrics/'), [404, 'close'])
  assert.deepEqual(await ask('localhost', '/metrics', 'POST'), [405, 'close'])
  await db.destroy()
  assert.deepEqual(await ask('localhost'), [503, '5'])
})
