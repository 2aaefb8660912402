import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { emptyEntryInput } from '#src/entries/editing/entry-input.ts'
import { saveDraft } from '#src/entries/history/entry-draft.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { endPublish, insertPublish, listPublishes } from '#src/publish/publish-store.ts'
import { createPublishSchedule } from '#src/server/background/publish-schedule.ts'
import { createPublisher, type Publisher } from '#src/server/background/publisher.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PUBLISHED = '2026-11-20T10:00:00.000Z'
const OPENING = '2026-11-20T12:00:00.000Z'

// A site that was published at 10:00, a page that opens at 12:00, and a publisher that only writes the history.
async function aSchedule(
  t: TestContext,
  {
    time,
    status = 'published',
    lookEveryMs = 1,
  }: { time: string; status?: 'published' | 'rolled_back'; lookEveryMs?: number },
) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const clock = { now: new Date(time) }
  const record = async (startedBy: 'command' | 'schedule', startedAt: string, end: typeof status) => {
    const id = await insertPublish(db, { machine: machineOf(dataDir), startedBy, userId: null, startedAt })
    await endPublish(db, id, { status: end, finishedAt: startedAt })
  }
  await record('command', PUBLISHED, status)
  await addEntry(db, 'pages', { slug: 'sale', title: 'Sale', publishAt: OPENING })
  let begun = 0
  const publisher = createPublisher(async () => {
    await record('schedule', clock.now.toISOString(), 'published')
    return undefined
  })
  const watched: Publisher = {
    ...publisher,
    // Each look begins with it, and the next one begins after it.
    isRunning() {
      begun += 1
      return publisher.isRunning()
    },
  }
  const errors: object[] = []
  const log = { error: (details: object) => errors.push(details) }
  atEnd(t, () => assert.deepEqual(errors, []))
  const start = () => {
    const schedule = createPublishSchedule({
      db,
      place: { dataDir },
      publisher: watched,
      now: () => clock.now,
      log,
      lookEveryMs,
    })
    schedule.start()
    atEnd(t, () => schedule.stop())
    return schedule
  }
  const scheduled = async () =>
    (await listPublishes(db, { limit: 10 })).filter(({ startedBy }) => startedBy === 'schedule').length
  /** Waits for whole looks, in which it could have done something. */
  const looks = async () => {
    const enough = begun + 3
    await waitFor(() => begun >= enough)
  }
  return { db, clock, start, scheduled, looks, errors, countLooks: () => begun }
}

test('a due entry is published once', async (t) => {
  const { clock, start, scheduled, looks } = await aSchedule(t, { time: '2026-11-20T11:59:59.000Z' })
  start()
  await looks()
  assert.equal(await scheduled(), 0)
  clock.now = new Date('2026-11-20T12:00:00.500Z')
  await waitFor(async () => (await scheduled()) === 1)
  await looks()
  assert.equal(await scheduled(), 1)
})

test('entries that came due while the server was down are published at the start', async (t) => {
  const { start, scheduled } = await aSchedule(t, { time: '2026-11-21T09:00:00.000Z' })
  start()
  await waitFor(async () => (await scheduled()) === 1)
})

test('a schedule set while the server runs is picked up', async (t) => {
  const { db, start, scheduled } = await aSchedule(t, { time: '2026-11-20T11:00:00.000Z' })
  start()
  await addEntry(db, 'pages', { slug: 'news', title: 'News', publishAt: '2026-11-20T10:59:00.000Z' })
  await waitFor(async () => (await scheduled()) === 1)
})

test('a rolled-back site is not published', async (t) => {
  const { start, scheduled, looks } = await aSchedule(t, {
    time: '2026-11-20T13:00:00.000Z',
    status: 'rolled_back',
  })
  start()
  await looks()
  assert.equal(await scheduled(), 0)
})

test('after a clock was set back a day, an entry shown too early is corrected once', async (t) => {
  const { db, clock, start, scheduled, looks } = await aSchedule(t, { time: '2026-11-20T11:00:00.000Z' })
  await addEntry(db, 'pages', { slug: 'news', title: 'News', publishAt: '2026-11-20T09:00:00.000Z' })
  start()
  await looks()
  assert.equal(await scheduled(), 0)
  clock.now = new Date('2026-11-19T11:00:00.000Z')
  await waitFor(async () => (await scheduled()) === 1)
  await looks()
  assert.equal(await scheduled(), 1)
})

test('a stopped schedule publishes nothing', async (t) => {
  const { clock, start, scheduled, looks, countLooks } = await aSchedule(t, {
    time: '2026-11-20T11:00:00.000Z',
  })
  const schedules = [start(), start()]
  await schedules[0]?.stop()
  await looks()
  await schedules[1]?.stop()
  const before = countLooks()
  clock.now = new Date('2026-11-20T13:00:00.000Z')
  // Timers fire in their order: one that was left would fire before this one.
  await delay(20)
  assert.deepEqual([countLooks(), await scheduled()], [before, 0])
})

test('a schedule sleeps until the next entry is due', async (t) => {
  const lookEveryMs = 60_000
  const { clock, start, scheduled, countLooks } = await aSchedule(t, {
    time: '2026-11-20T11:59:00.000Z',
    lookEveryMs,
  })
  start()
  await waitFor(() => countLooks() === 1)
  // Without a pause, there would be hundreds.
  await delay(20)
  assert.equal(countLooks(), 1)
  clock.now = new Date('2026-11-20T11:59:59.900Z')
  start()
  await waitFor(() => countLooks() === 2)
  clock.now = new Date('2026-11-20T12:00:00.000Z')
  await waitFor(async () => (await scheduled()) === 1)
})

test('an invalid draft that is due is logged once', async (t) => {
  const { db, errors, start, looks } = await aSchedule(t, { time: '2026-11-20T11:00:00.000Z' })
  const type = await findContentType(db, 'pages')
  assert.ok(type)
  const id = await addEntry(db, 'pages', { slug: 'hours', title: 'Hours' })
  const input = { ...emptyEntryInput({}), slug: 'news', title: 'Next', publishAt: '2026-11-20T10:30:00.000Z' }
  const by = { source: 'admin', email: 'ann@example.com' } as const
  const saved = await saveDraft(db, { type, id, input }, { now: new Date(PUBLISHED), by })
  assert.equal(saved.kind, 'saved')
  await addEntry(db, 'pages', { slug: 'news', title: 'News' })
  start()
  await looks()
  assert.deepEqual(errors.splice(0), [{ entry: id, problems: ['entry_slug_taken'] }])
})
