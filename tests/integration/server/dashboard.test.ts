import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connectSqlite } from '#src/db/connect.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { localeOf } from '#src/lib/locale/locale.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { insertPublish } from '#src/publish/publish-store.ts'
import { addDailyCounts } from '#src/server/dashboard/daily-count-store.ts'
import { loadDashboard } from '#src/server/dashboard/load-dashboard.ts'
import { loadServers } from '#src/server/servers/load-servers.ts'
import { saveHeartbeat } from '#src/server/servers/server-store.ts'
import { atEnd } from '../../support/at-end.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { goLive } from '../../support/live-release.ts'
import { addEntry, addPlaces } from '../../support/small-site.ts'

const siteLocale = { current: () => localeOf({ time_zone: 'UTC' }) }
const NOW = new Date('2026-11-30T10:00:00.000Z')
const TODAY = '2026-11-30'
const FIRST = '2026-11-01'

type App = Parameters<typeof loadDashboard>[0]

async function anApp(t: TestContext, values: object = {}) {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  atEnd(t, () => db.destroy())
  const config = { dataDir, databaseUrl: `file:${path}` }
  const app = { db, config, heartbeat: undefined, siteLocale, ...values } as unknown as App
  return { db, dataDir, path, app }
}

test('the dashboard counts thirty days by form and outcome, within the reader’s scope', async (t) => {
  const { db, app } = await anApp(t)
  const [quote, other] = [await storeForm(db, 'quote', { name: 'Quote' }), await storeForm(db, 'other')]
  const places = await addPlaces(db, 'ohio', 'iowa')
  const ohio = places.get('ohio') ?? 0
  const count = (values: object) => ({
    ...{ day: TODAY, series: 'submissions' as const, subject: `${quote.id}`, count: 1 },
    ...values,
  })
  await addDailyCounts(db, [
    count({ count: 4 }),
    count({ day: FIRST }),
    count({ day: '2026-10-31', count: 50 }),
    count({ subject: `${other.id}`, count: 2 }),
    count({ subject: '999', count: 3 }),
    count({ series: 'spam', count: 9 }),
    count({ series: 'attempts', subject: 'delivered', count: 6 }),
    count({ series: 'attempts', subject: 'failed', count: 2 }),
    count({ series: 'duration', subject: '100', count: 8 }),
  ])
  const lead = { form_id: quote.id, submitted_at: `${TODAY}T09:00:00.000Z` }
  await db
    .insertInto('form_submissions')
    .values([
      { ...lead, location_id: ohio },
      { ...lead, location_id: places.get('iowa') ?? 0 },
      { ...lead, location_id: ohio, submitted_at: '2026-10-31T09:00:00.000Z' },
    ])
    .execute()
  const show = async (scope: Partial<typeof EVERY_LEAD> = {}) => {
    const { days, submissions, attempts, durations } = await loadDashboard(app, {
      ...{ scope: { ...EVERY_LEAD, ...scope }, now: NOW },
    })
    assert.deepEqual([days.length, days[0], days.at(-1)], [30, FIRST, TODAY])
    const sums = [...submissions, ...attempts].map(({ label, total, values }) => [
      label,
      total,
      values.at(-1),
    ])
    return { sums, durations: durations.reduce((sum, row) => sum + row.count, 0) }
  }
  const outcomes = [
    ['Delivered', 6, 6],
    ['Failed', 2, 2],
  ]
  assert.deepEqual(await show(), {
    sums: [['Quote', 7, 6], ['Deleted form', 3, 3], [other.name, 2, 2], ...outcomes],
    durations: 8,
  })
  assert.deepEqual((await show({ forms: [other.id] })).sums, [[other.name, 2, 2], ...outcomes])
  assert.deepEqual(await show({ places: [ohio] }), { sums: [['Quote', 1, 1]], durations: 0 })
  assert.deepEqual((await show({ forms: [] })).sums, outcomes)
})

test('the dashboard shows the content, the last publish, the disk, and other servers', async (t) => {
  const others = [{ machine: 'other /data' }]
  const { db, dataDir, path, app } = await anApp(t, { heartbeat: { others: () => others } })
  const load = () => loadDashboard(app, { scope: EVERY_LEAD, now: NOW })
  const empty = await load()
  assert.deepEqual([empty.lastPublish, empty.otherServers], [undefined, others])
  assert.deepEqual([empty.failing, empty.submissions, empty.attempts], [[], [], []])
  await addEntry(db, 'services', { slug: 'repair', title: 'Repair' })
  await addPlaces(db, 'ohio')
  for (const startedAt of ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z'])
    await insertPublish(db, { machine: machineOf(dataDir), startedBy: 'command', userId: null, startedAt })
  writeFileSync(`${path}-wal`, '')
  const { content, lastPublish, storage } = await load()
  assert.equal(lastPublish?.startedAt, '2026-11-21T10:00:00.000Z')
  assert.ok(storage.databaseBytes > 100_000 && storage.databaseBytes < 10_000_000, `${storage.databaseBytes}`)
  assert.ok(storage.freeBytes > 1_000_000 && storage.totalBytes >= storage.freeBytes)
  const services = () => content.types.find(({ slug }) => slug === 'services')
  assert.partialDeepStrictEqual(services(), { live: 0, pending: 1, draft: 0, scheduled: 0, edited: 0 })
  await goLive(dataDir, { facts: { shownAt: NOW.toISOString() } })
  const live = (await load()).content
  assert.ok(live.unpublished && live.unpublished.count > 0)
  const terms = { slug: 'term', name: 'Places and categories', pending: 1, live: 0, edited: 0 }
  assert.partialDeepStrictEqual(live.others[0], terms)
  assert.ok(live.others.every(({ pending }) => pending > 0))
})

test('servers are those of the table, or on SQLite this one', async (t) => {
  const { db, dataDir, app } = await anApp(t)
  let isTaking = true
  const one = { ...app, intakeHealth: { isTakingPosts: async () => isTaking } } as unknown as Parameters<
    typeof loadServers
  >[0]
  const [own] = await loadServers(one)
  assert.partialDeepStrictEqual(own, {
    machine: machineOf(dataDir),
    releaseId: null,
    health: 'healthy',
    isLeader: true,
  })
  assert.ok(Math.abs(Date.parse(own?.seenAt ?? '') - Date.now()) < 10_000)
  assert.ok(Date.parse(own?.startedAt ?? '') <= Date.now())
  isTaking = false
  const { id } = await goLive(dataDir)
  assert.partialDeepStrictEqual((await loadServers(one))[0], { releaseId: id, health: 'unhealthy' })
  const beat = { machine: 'other /data', releaseId: null, version: '1.0.0', isHealthy: true }
  await saveHeartbeat(db, { ...beat, id: 'a' })
  const listed = await loadServers({ ...one, heartbeat: {} } as unknown as Parameters<typeof loadServers>[0])
  assert.deepEqual(
    listed.map(({ machine }) => machine),
    ['other /data'],
  )
})
