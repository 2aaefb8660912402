import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { rollBack } from '#src/publish/release/roll-back.ts'
import { startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000

test('a scheduled entry says that it goes live alone and lists other unpublished changes', async (t) => {
  const site = await startAdmin(t)
  const { db, config, publishing } = site.app
  const id = await addEntry(db, 'pages', {
    slug: 'sale',
    title: 'Winter sale',
    publishAt: '2999-01-01T08:00:00.000Z',
  })
  const path = `/admin/entries/pages/${id}`
  const alone = /^Goes live on .*Only this entry will be published at the scheduled time/
  const others = /stay off the site until you publish/
  const page = await site.open(path)
  page.getByText(alone)
  assert.equal(page.queryAllByText(/until you publish/).length, 0)

  await db.updateTable('taxonomy_terms').set({ name: 'Big <A>' }).where('slug', '=', 'austin').execute()
  publishing.planner.noteChange()
  await waitFor(async () => (await site.open(path)).queryByText(others) !== null, PATIENCE_MS)
  ;(await site.open(path)).getByText(/^Renaming the place Austin to Big <A> changes/)

  await db.updateTable('content_entries').set({ status: 'draft' }).where('id', '=', id).execute()
  assert.equal((await site.open(path)).queryAllByText(alone).length, 0)
  await db.updateTable('content_entries').set({ status: 'published' }).where('id', '=', id).execute()
  await publishing.request({ startedBy: 'admin' })
  await waitFor(async () => !publishing.isRunning(), PATIENCE_MS)
  const starter = { startedBy: 'command' } as const
  assert.ok(findCurrentRelease(config.dataDir))
  await rollBack(db, { dataDir: config.dataDir, starter, now: new Date() })
  ;(await site.open(path)).getByText(/Schedules are paused until you publish/)
})
