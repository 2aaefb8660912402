import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFileLock } from '../../../src/db/file-lock.ts'
import { silentProgress } from '../../../src/lib/progress.ts'
import { createProgressFile } from '../../../src/publish/progress-file.ts'
import { publishLock } from '../../../src/publish/publish-lock.ts'
import { publishSite } from '../../../src/publish/publish-site.ts'
import { insertPublish, listPublishes } from '../../../src/publish/publish-store.ts'
import { findCurrentRelease } from '../../../src/publish/release.ts'
import { noteSync } from '../../../src/publish/unpublished-sync.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { PROJECT_DIR, waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000

// The page as it is once it has nothing more to wait for.
async function readSettled(site: AdminSite) {
  await waitFor(async () => !(await site.read('/admin/publish')).includes('data-live='), PATIENCE_MS)
  return site.read('/admin/publish')
}

async function publishNow(site: AdminSite) {
  const pressed = await site.post('/admin/publish')
  assert.equal(pressed.headers.get('location'), '/admin/publish')
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
}

test('the page says what would change and why, publishes it, and goes back', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  assert.match(await readSettled(site), /The site shows all there is/)
  await db.updateTable('taxonomy_terms').set({ name: '<b>Austin</b>' }).where('slug', '=', 'austin').execute()
  site.app.publishing.planner.noteChange()
  const planned = await readSettled(site)
  assert.match(planned, /pages? would change/)
  assert.match(planned, /Renaming the term Austin to &lt;b&gt;Austin&lt;\/b&gt; changes/)
  assert.match(planned, /\/services\/ac-repair\/austin/)
  assert.ok(!planned.includes('<b>Austin'))

  const before = findCurrentRelease(config.dataDir)?.id
  await publishNow(site)
  assert.notEqual(findCurrentRelease(config.dataDir)?.id, before)
  const [publish, first] = await listPublishes(db, { limit: 2 })
  assert.deepEqual(
    [publish?.startedBy, publish?.userId, publish?.status],
    ['admin', site.administratorId, 'published'],
  )
  const html = await readSettled(site)
  assert.match(html, /The site shows all there is/)
  assert.match(html, /visitors see this/)
  const details = await site.read(`/admin/publish/${publish?.id}`)
  assert.match(details, /by ann@example\.com/)
  assert.match(details, /Comparing and rendering pages/)

  await site.read(`/admin/publish/${first?.id}/rollback`)
  const back = await site.post(`/admin/publish/${first?.id}/rollback`)
  assert.equal(back.status, 303)
  assert.equal(findCurrentRelease(config.dataDir)?.id, before)
  assert.match(await readSettled(site), /The site was rolled back/)
  const log = await site.read('/admin/audit')
  assert.match(log, /Published the site/)
  assert.match(log, /Rolled the site back to/)
})

test('a webhook sets no mark of changes, and a publish by command that changes nothing takes it away, on whatever page is open, also of a sync', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const hasMark = async () => (await site.read('/admin')).includes('>changes</span>')
  const webhook = {
    name: 'Office',
    method: 'POST',
    url: 'https://a.example.com',
    max_retries: '6',
    act: 'save',
  }
  assert.equal((await site.post('/admin/forms/waitlist/webhooks/new', webhook)).status, 303)
  assert.equal(await hasMark(), false)
  site.app.publishing.planner.noteChange()
  assert.equal(await hasMark(), true)
  const before = findCurrentRelease(config.dataDir)?.id
  const { dataDir, databaseUrl, siteUrl } = config
  const options = { dataDir, databaseUrl, siteUrl, projectDir: PROJECT_DIR, progress: silentProgress }
  const { kind } = await publishSite(db, { ...options, now: () => new Date() })
  assert.deepEqual([kind, findCurrentRelease(dataDir)?.id], ['unchanged', before])
  await waitFor(async () => !(await hasMark()), PATIENCE_MS)
  noteSync(dataDir)
  assert.equal(await hasMark(), true)
  await publishSite(db, { ...options, now: () => new Date() })
  await waitFor(async () => !(await hasMark()), PATIENCE_MS)
  noteSync(dataDir)
  await publishSite(db, { ...options, now: () => new Date() })
  assert.equal(await hasMark(), false)
})

test('while a publish of any process runs, the page shows how far it is and refreshes without scripts', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const now = () => new Date()
  const started = {
    machine: 'here',
    startedBy: 'command' as const,
    userId: null,
    startedAt: now().toISOString(),
  }
  const publishId = await insertPublish(db, started)
  await withFileLock(publishLock(config.dataDir), async () => {
    const progress = createProgressFile(config.dataDir, { publishId, now })
    progress.phase('Comparing and rendering pages')
    progress.update(1_204, 100_000)
    progress.finish()
    const html = await site.read('/admin/publish')
    assert.match(html, /<noscript>\s*<meta http-equiv="refresh" content="2">/)
    assert.match(html, /Comparing and rendering pages/)
    assert.match(html, /1,204 of 100,000 pages/)
    assert.match(html, /<progress[^>]*value="1204" max="100000"/)
    const state = await (await site.fetch('/admin/publish/progress')).json()
    assert.deepEqual([state.isPublishing, state.done, state.total], [true, 1_204, 100_000])
  })
  assert.equal((await (await site.fetch('/admin/publish/progress')).json()).isPublishing, false)
})

test('a publish that fails says why, and the site stays', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const before = findCurrentRelease(config.dataDir)?.id
  await addEntry(db, 'pages', { slug: 'services', title: 'Takes the address of the list of services' })
  await publishNow(site)
  assert.equal(findCurrentRelease(config.dataDir)?.id, before)
  const html = await readSettled(site)
  assert.match(html, /Two pages have the address \/services/)
  const [failed] = await listPublishes(db, { limit: 1 })
  assert.match(await site.read(`/admin/publish/${failed?.id}`), /The site stayed as it was/)
})

test('what schedules will do is listed, what is not there is not found', async (t) => {
  const site = await startAdmin(t)
  const publishAt = new Date(Date.now() + 86_400_000).toISOString()
  await addEntry(site.app.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt })
  assert.match(await site.read('/admin/publish'), /Winter sale\s*<\/a>[\s\S]{0,40}goes live/)
  for (const path of ['/admin/publish/999', '/admin/publish/999/rollback', '/admin/publish/x'])
    assert.equal((await site.fetch(path)).status, 404, path)
})
