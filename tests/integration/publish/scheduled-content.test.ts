import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Db } from '#src/db/schema.ts'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import { savePicture } from '#src/pictures/picture-store.ts'
import { countUses } from '#src/pictures/picture-use-store.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import type { ReleaseFacts } from '#src/publish/ledger/ledger-store.ts'
import { writeLiveContent } from '#src/publish/live/live-content.ts'
import { openSource, partOf } from '#src/publish/open-source.ts'
import { machineOf } from '#src/publish/publish-lock.ts'
import { endPublish, insertPublish } from '#src/publish/publish-store.ts'
import type { Starter } from '#src/publish/record-publish.ts'
import { recordFiles } from '#src/publish/render/whole-folder.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'
import { aPicture } from '../../support/pictures.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const NOON = new Date('2026-11-20T12:00:00.000Z')
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const BUNDLE = '0123456789abcdef'

/** A site whose pages `about` and `news` are live, and a function to open the content of the next publish. */
async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const [projectDir, dataDir] = [temporaryFolder(t), temporaryFolder(t)]
  const bundleDir = join(projectDir, 'dist', BUNDLE)
  mkdirSync(join(bundleDir, 'client'), { recursive: true })
  writeFileSync(join(bundleDir, 'template-fingerprint'), 'f1')
  await recordFiles(bundleDir)
  const ids = { about: 0, news: 0 }
  for (const slug of ['about', 'news'] as const)
    ids[slug] = await addEntry(db, 'pages', { slug, title: slug })
  const machine = machineOf(dataDir)
  async function record(
    status: 'published' | 'failed' | 'running',
    releaseId: string | null,
    minutes: number,
  ) {
    const startedAt = at(minutes).toISOString()
    const id = await insertPublish(db, { machine, startedBy: 'admin', userId: null, startedAt })
    if (status !== 'running') await endPublish(db, id, { status, releaseId, finishedAt: startedAt } as never)
  }
  const release = { id: '20261120T120000000Z' }
  const keepRows = (shownAt = NOON) => writeLiveContent(db, { dataDir, release, bundle: BUNDLE, shownAt })
  const open = (
    starter?: Starter,
    { minutes = 60, facts }: { minutes?: number; facts?: ReleaseFacts } = {},
  ) => openSource(db, { projectDir, dataDir, starter, now: () => at(minutes) }, { bundle: undefined, facts })
  const refuses = async (code: string) => {
    await assert.rejects(open({ startedBy: 'schedule' }), { code })
    assert.equal(existsSync(join(dataDir, 'live-content', 'open')), false)
  }
  return { db, dataDir, bundleDir, ids, release, record, keepRows, open, refuses }
}

const titleOf = async (db: Db, id: number) => (await findEntryById(db, id))?.title

test('a schedule starts from the live content, and adds what is due since the last publish', async (t) => {
  const { db, dataDir, ids, release, record, keepRows, open } = await aSite(t)
  await goLive(dataDir, { id: release.id })
  await keepRows()
  await record('published', release.id, 0)
  const position = await findLogEnd(db)
  await editEntry(db, ids.about, { title: 'Saved' })
  await savePicture(db, aPicture({ name: 'shop.jpg' }), { now: NOON.toISOString() })
  const add = (slug: string, minutes: number) =>
    addEntry(db, 'pages', {
      slug,
      title: slug,
      publishAt: at(minutes).toISOString(),
      body: '![A shop](shop.jpg)',
    })
  const [due, earlier, later] = [await add('due', 30), await add('earlier', -1), await add('later', 61)]
  const holder = await addEntry(db, 'pages', { slug: 'taken', title: 'Holder' })
  await keepRows()
  await db.deleteFrom('content_entries').where('id', '=', holder).execute()
  await add('taken', 40)
  const facts = { position } as ReleaseFacts
  const source = await open({ startedBy: 'schedule' }, { facts })
  assert.deepEqual([source.partial, source.now, source.bundle.fingerprint], ['schedule', at(60), 'f1'])
  assert.equal(await titleOf(source.db, ids.about), 'Saved')
  assert.deepEqual([await titleOf(source.db, due), await titleOf(source.db, later)], ['due', undefined])
  assert.equal(await titleOf(source.db, earlier), 'earlier')
  assert.equal(source.problems.length, 1)
  assert.match(source.problems[0] ?? '', /taken.*Holder/s)
  assert.ok(source.databaseUrl?.startsWith('file:'))
  assert.ok(source.since && source.since.id < (await findLogEnd(source.db)).id)
  // What it shows of the log is live; the deleted page is not.
  const ahead = source.ahead?.map(({ subject, subjectId }) => `${subject}:${subjectId}`) ?? []
  assert.ok(ahead.includes(`entry:${ids.about}`) && ahead.includes(`entry:${due}`), ahead.join())
  assert.ok(!ahead.includes(`entry:${holder}`))
  await source.close()
  assert.equal(existsSync(join(dataDir, 'live-content', 'open')), false)

  const unknown = await open({ startedBy: 'schedule' })
  assert.deepEqual(unknown.ahead, [])
  await unknown.close()
})

test('selected changes are added to the live content, and others left out', async (t) => {
  const { db, dataDir, ids, release, record, keepRows, open } = await aSite(t)
  await goLive(dataDir, { id: release.id })
  await keepRows()
  await record('published', release.id, 0)
  await savePicture(db, aPicture({ name: 'van.jpg' }), { now: NOON.toISOString() })
  for (const id of Object.values(ids)) await editEntry(db, id, { title: 'New', body: '![A van](van.jpg)' })
  const only = [{ subject: 'entry' as const, subjectId: `${ids.about}` }]
  const source = await open({ startedBy: 'admin', only })
  assert.equal(source.partial, 'selected')
  assert.deepEqual(
    [await titleOf(source.db, ids.about), await titleOf(source.db, ids.news), source.problems],
    ['New', 'news', []],
  )
  assert.deepEqual([...(await countUses(source.db, ['van.jpg', 'shop.jpg'])).keys()], ['van.jpg'])
  await source.close()
  const none = await open({ startedBy: 'schedule' })
  assert.deepEqual([await titleOf(none.db, ids.about), await titleOf(none.db, ids.news)], ['about', 'news'])
  await none.close()
})

test('all saved content is used as it is', async (t) => {
  const { db, open: _ } = await aSite(t)
  const bundle = { fingerprint: 'f2' } as never
  const source = await openSource(
    db,
    { projectDir: '', dataDir: '', databaseUrl: 'file:x', now: () => NOON },
    { bundle, facts: undefined },
  )
  const { close, ...others } = source
  assert.deepEqual(others, { db, databaseUrl: 'file:x', bundle, problems: [], now: NOON })
  await close()
  assert.ok(await db.selectFrom('settings').selectAll().execute())
  const starters: [starter: Starter | undefined, part: string | undefined][] = [
    [undefined, undefined],
    [{ startedBy: 'admin' }, undefined],
    [{ startedBy: 'schedule' }, 'schedule'],
    [{ startedBy: 'schedule', only: [] }, 'selected'],
    [{ startedBy: 'admin', only: [] }, 'selected'],
  ]
  for (const [starter, part] of starters) assert.equal(partOf(starter), part)
})

test('a schedule needs the live content, its publish, and its templates', async (t) => {
  const { dataDir, bundleDir, release, record, keepRows, open, refuses } = await aSite(t)
  await refuses('noRecord')
  await goLive(dataDir, { id: release.id })
  await refuses('noRecord')
  await keepRows()
  await refuses('noRecord')
  // A publish of another release was the last that this database knows.
  await record('published', '20261120T110000000Z', -60)
  await refuses('otherDatabase')
  await record('running', null, 1)
  await refuses('otherDatabase')
  // It was killed after it went live.
  await record('failed', null, 0)
  await (await open({ startedBy: 'schedule' })).close()
  await record('published', release.id, 1)
  await (await open({ startedBy: 'schedule' })).close()
  rmSync(bundleDir, { recursive: true })
  await refuses('noTemplates')
})
