import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import {
  findAreaState,
  findShownSettings,
  findUnpublishedAreas,
} from '#src/publish/states/changed-settings.ts'
import { listLiveEntries } from '#src/publish/states/live-site.ts'
import { findShownSaves } from '#src/publish/states/shown-saves.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'

const HOT = { home: { heading: 'Hot house?' } }

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const place = { db, dataDir }
  const start = (await findLogEnd(db)).savedAt
  const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1_000)
  const change = async (changes: Parameters<typeof changeSiteSettings>[1]['changes'], seconds: number) => {
    const { kind } = await changeSiteSettings(db, { changes }, { now: at(seconds) })
    assert.equal(kind, 'saved')
  }
  const lookAt = async () => ({
    shown: await findShownSettings(place),
    areas: await findUnpublishedAreas(place),
    states: [await findAreaState(place, 'settings'), await findAreaState(place, 'home')],
  })
  // The log has the time of the database.
  const log = async (subject: string, id: string, seconds: number) => {
    const row = { subject, subject_id: id, action: 'edited', saved_at: at(seconds).toISOString() }
    const { id: changeId } = await db
      .insertInto('content_changes')
      .values(row as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { subject: subject as 'entry', subjectId: id, changeId: Number(changeId), savedAt: row.saved_at }
  }
  return { ...place, place, at, change, lookAt, log }
}

test('settings are live until they are saved again, and once they are changed back', async (t) => {
  const { db, dataDir, at, change, lookAt } = await aSite(t)
  await change({ tagline: 'Cool', ...HOT }, -2)
  assert.deepEqual(await lookAt(), { shown: 'none', areas: undefined, states: ['pending', 'pending'] })
  const position = { ...(await findLogEnd(db)), savedAt: at(0).toISOString() }
  await goLive(dataDir, { facts: { position } })
  const live = { shown: 'all', areas: [], states: ['live', 'live'] }
  assert.deepEqual(await lookAt(), live)
  const until = position.savedAt
  await change({ tagline: 'Warm' }, 1)
  assert.deepEqual(await lookAt(), { shown: { until }, areas: ['settings'], states: ['changed', 'live'] })
  await change({ home: { heading: 'Cold house?' } }, 2)
  const both = ['settings', 'home']
  assert.deepEqual(await lookAt(), { shown: { until }, areas: both, states: ['changed', 'changed'] })
  await change({ tagline: 'Cool' }, 3)
  const ofHome = { shown: { until }, areas: ['home'], states: ['live', 'changed'] }
  assert.deepEqual(await lookAt(), ofHome)
  await change({ record_reading: true }, 4)
  assert.deepEqual(await lookAt(), ofHome)
  await change({ ...HOT, record_reading: undefined }, 5)
  assert.deepEqual(await lookAt(), live)
  rmSync(ledgerFile(dataDir))
  const unknown = { shown: 'unknown', areas: undefined, states: ['published', 'published'] }
  assert.deepEqual(await lookAt(), unknown)
})

test('settings that were published on their own are live', async (t) => {
  const { db, dataDir, at, change, lookAt } = await aSite(t)
  await change({ tagline: 'Cool' }, -2)
  const position = { ...(await findLogEnd(db)), savedAt: at(-1).toISOString() }
  await change({ tagline: 'Warm' }, 1)
  const { id: changeId } = await findLogEnd(db)
  const savedAt = at(2).toISOString()
  await db.updateTable('content_changes').set({ saved_at: savedAt }).where('id', '=', changeId).execute()
  const other = { subject: 'entry' as const, subjectId: '3', changeId: 1, savedAt: at(-9).toISOString() }
  const ahead = [other, { subject: 'setting' as const, subjectId: 'site', changeId, savedAt }]
  await goLive(dataDir, { facts: { position, ahead } })
  const live = { shown: 'all', areas: [], states: ['live', 'live'] }
  assert.deepEqual(await lookAt(), live)
  await change({ tagline: 'Cool' }, 3)
  const changed = { shown: { until: savedAt }, areas: ['settings'], states: ['changed', 'live'] }
  assert.deepEqual(await lookAt(), changed)
  await change({ tagline: 'Warm' }, 4)
  assert.deepEqual(await lookAt(), live)
})

test('settings whose live version is unknown are changed in both parts', async (t) => {
  const { db, dataDir, change, lookAt } = await aSite(t)
  const position = { ...(await findLogEnd(db)), savedAt: '2020-01-01T00:00:00.000Z' }
  await goLive(dataDir, { facts: { position } })
  await change({ tagline: 'Cool' }, 1)
  const shown = { until: position.savedAt }
  assert.deepEqual(await lookAt(), { shown, areas: undefined, states: ['changed', 'changed'] })
})

test('the saves of an entry are shown up to the last one that was published', async (t) => {
  const { db, dataDir, place, at, log } = await aSite(t)
  const shown = (id = 3) => findShownSaves(place, { subjects: ['entry', 'entry_terms'], id })
  assert.equal(await shown(), 'none')
  const position = { ...(await findLogEnd(db)), savedAt: at(0).toISOString() }
  const [text, terms] = [await log('entry', '3', 1), await log('entry_terms', '3', 2)]
  const others = [await log('entry', '4', 3), await log('term', '3', 4)]
  await goLive(dataDir, { facts: { position } })
  assert.deepEqual(await shown(), { until: position.savedAt })
  assert.equal(await shown(5), 'all')
  await goLive(dataDir, { id: '20261120T110000000Z', facts: { position, ahead: [terms, text, ...others] } })
  assert.equal(await shown(), 'all')
  await log('entry', '3', 5)
  assert.deepEqual(await shown(), { until: terms.savedAt })
  await db.deleteFrom('content_changes').where('id', '=', terms.changeId).execute()
  assert.deepEqual(await shown(), { until: position.savedAt }, 'the log was cut')
  rmSync(ledgerFile(dataDir))
  assert.equal(await shown(), 'unknown')
})

test('visitors see the entries that have a page or are part of one', async (t) => {
  const { dataDir } = await aSite(t)
  const live = async () => [...(await listLiveEntries(dataDir, [1, 2]))]
  assert.deepEqual(await live(), [])
  await goLive(dataDir, { pages: [{ path: '/about', entryId: 2 }] })
  assert.deepEqual(await live(), [2])
  const ledger = openLedger(ledgerFile(dataDir))
  ledger.exec('delete from releases')
  ledger.close()
  assert.deepEqual(await live(), [1, 2], 'the ledger doesn’t know the release')
  rmSync(ledgerFile(dataDir))
  assert.deepEqual(await live(), [1, 2])
  assert.ok(!existsSync(ledgerFile(dataDir)))
})
