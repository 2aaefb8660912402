import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { connectSqlite } from '#src/db/connect.ts'
import { findEntryDraft } from '#src/entries/history/entry-draft.ts'
import type { EntrySnapshot } from '#src/entries/history/entry-snapshot.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { listVersionContents } from '#src/versions/version-store.ts'
import { copyMigrated, temporaryFolder } from '../support/database.ts'
import { PROJECT_DIR, waitFor } from '../support/running-site.ts'
import type { Edition } from '../support/schedule-until-killed.ts'
import { addEntry } from '../support/small-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'

const KILLS = soakLength(2, 50)
const SCRIPT = join(import.meta.dirname, '../support/schedule-until-killed.ts')
const PATIENCE_MS = 120_000

test('scheduled drafts survive kill -9, and each is published once and alone', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  const id = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'Edition 0' })
  await addEntry(db, 'pages', { slug: 'news', title: 'News', body: 'Edition 0' })
  const site = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'https://example.com' }
  await publishSite(db, { ...site, now: () => new Date(), progress: silentProgress })
  const shown = (slug: string) => {
    const html = readFileSync(join(dataDir, 'current/site', pageFile(`/${slug}`)), 'utf8')
    return Number(/<p>Edition (\d+)/.exec(html)?.[1])
  }
  const releaseOf = new Map<string, number>()
  const noteRelease = () => releaseOf.set(findCurrentRelease(dataDir)?.id ?? '', shown('about'))
  noteRelease()

  const reported: Edition[] = []
  const last = (state: Edition['state']) => reported.findLast((one) => one.state === state)?.edition ?? 0
  const run = async (untilKilled: (child: ChildProcess) => Promise<unknown>, ...options: 'last'[]) => {
    const child = fork(SCRIPT, [path, dataDir, ...options])
    child.on('message', (one: Edition) => reported.push(one))
    const exited = once(child, 'exit')
    await untilKilled(child)
    assert.equal(child.exitCode, null, 'the schedule failed')
    child.kill('SIGKILL')
    await exited
    noteRelease()
  }
  const nextState = (state: Edition['state'], child: ChildProcess) => {
    const former = reported.filter((one) => one.state === state).length
    const count = () => reported.filter((one) => one.state === state).length
    return waitFor(() => count() > former || child.exitCode !== null, PATIENCE_MS)
  }

  let lastsMs = 0
  await run(async (child) => {
    // The first time includes loading the templates.
    await nextState('scheduled', child)
    await nextState('scheduled', child)
    const started = performance.now()
    await nextState('scheduled', child)
    lastsMs = performance.now() - started
  })
  let killedBefore = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = last('scheduled')
    await run(async (child) => {
      await nextState('scheduled', child)
      await wait(Math.random() * lastsMs)
    })
    const edition = shown('about')
    assert.ok(edition >= before - 1 && edition <= last('scheduled') + 1, `${edition} after ${before}`)
    if (edition < last('scheduled')) killedBefore++
    assert.equal(shown('news'), 0, 'nothing else goes live')
  }
  // One more time, until nothing is scheduled.
  await run(async (child) => {
    const acknowledged = last('scheduled')
    await waitFor(() => last('live') >= acknowledged || child.exitCode !== null, PATIENCE_MS)
  }, 'last')

  const versions = await listVersionContents(db, entrySubject(id), { limit: 10_000 })
  const saved = versions.filter(({ version }) => version.state === 'saved')
  const editions = saved.map(({ content }) => Number((content as EntrySnapshot).body.split(' ')[1]))
  const newest = editions[0] ?? 0
  assert.deepEqual(
    editions.toReversed(),
    Array.from({ length: newest + 1 }, (_, edition) => edition),
  )
  assert.ok(newest >= last('scheduled'), 'every acknowledged draft was used')
  const draft = await findEntryDraft(db, id)
  assert.ok(!draft || draft.snapshot.body === `Edition ${newest + 1}`)
  // A killed process may have switched to its release without recording it.
  for (const { status, releaseId } of await listPublishes(db, { limit: 10_000 }))
    if (status === 'published' && releaseId && !releaseOf.has(releaseId)) releaseOf.set(releaseId, Number.NaN)
  assert.equal(releaseOf.size, newest + 1, 'each edition is in one release')
  const file = new SqliteDatabase(path)
  t.after(() => file.close())
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  assert.deepEqual(file.pragma('foreign_key_check'), [])
  printFigure(
    t,
    `${newest} scheduled drafts, ${KILLS} kills, ${killedBefore} before the switch: each published once`,
  )
})
