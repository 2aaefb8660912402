import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCurrentRelease } from '../../../src/publish/release.ts'
import { rollBack } from '../../../src/publish/roll-back.ts'
import { startAdmin } from '../../support/admin.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000

test('a scheduled entry says that it goes live alone, and lists what else is unpublished', async (t) => {
  const site = await startAdmin(t)
  const { db, config, publishing } = site.app
  const id = await addEntry(db, 'pages', {
    slug: 'sale',
    title: 'Winter sale',
    publishAt: '2999-01-01T08:00:00.000Z',
  })
  const path = `/admin/entries/pages/${id}`
  const alone = await site.read(path)
  assert.match(alone, /Goes live\s+on .*The schedule\s+publishes this entry only/s)
  assert.doesNotMatch(alone, /until you publish/)

  await db.updateTable('taxonomy_terms').set({ name: 'Big <A>' }).where('slug', '=', 'austin').execute()
  publishing.planner.noteChange()
  await waitFor(
    async () => (await site.read(path)).includes('stay off the site until you publish'),
    PATIENCE_MS,
  )
  assert.match(await site.read(path), /Renaming the term Austin to Big &lt;A&gt; changes/)

  await db.updateTable('content_entries').set({ status: 'draft' }).where('id', '=', id).execute()
  assert.doesNotMatch(await site.read(path), /publishes this entry only/)
  await db.updateTable('content_entries').set({ status: 'published' }).where('id', '=', id).execute()
  publishing.request({ startedBy: 'admin' })
  await waitFor(async () => !publishing.isRunning(), PATIENCE_MS)
  const starter = { startedBy: 'command' } as const
  assert.ok(findCurrentRelease(config.dataDir))
  await rollBack(db, { dataDir: config.dataDir, starter, now: new Date() })
  assert.match(await site.read(path), /Schedules are paused until you publish/)
})
