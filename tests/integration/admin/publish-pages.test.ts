import assert from 'node:assert/strict'
import { test } from 'node:test'
import { within } from '@testing-library/dom'
import { withFileLock } from '#src/db/file-lock.ts'
import { type Step, silentProgress } from '#src/lib/progress.ts'
import { publishStep } from '#src/messages/server/publishing.ts'
import { saveCheckReport } from '#src/publish/check-report.ts'
import { noteSync } from '#src/publish/plan/unpublished-sync.ts'
import { machineOf, publishLock } from '#src/publish/publish-lock.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { endPublish, insertPublish, listPublishes } from '#src/publish/publish-store.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { createProgressFile } from '#src/publish/render/progress-file.ts'
import { type AdminSite, startAdmin } from '../../support/admin.ts'
import { wordsOf } from '../../support/pages/read-page.ts'
import { newestChanges } from '../../support/pages/told.ts'
import { PROJECT_DIR, waitFor } from '../../support/running-site.ts'
import { editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const PATIENCE_MS = 60_000

// The page as it is once it has nothing more to wait for.
async function readSettled(site: AdminSite) {
  const isLive = async () => (await site.open('/admin/publish')).element.querySelector('[data-live]') !== null
  await waitFor(async () => !(await isLive()), PATIENCE_MS)
  return site.open('/admin/publish')
}

const UP_TO_DATE = { name: 'Everything is published' }

async function publishNow(site: AdminSite) {
  const pressed = await site.post('/admin/publish')
  const address = pressed.headers.get('location') ?? ''
  assert.match(address, /^\/admin\/publish\?after=\d+$/)
  await waitFor(async () => !site.app.publishing.isRunning(), PATIENCE_MS)
  return address
}

test('the Publish page shows what a nightly check found and repaired', async (t) => {
  const site = await startAdmin(t)
  const found = { damaged: 2, outdated: 0, hasDamagedFiles: true }
  saveCheckReport(site.app.config.dataDir, found, new Date('2026-11-20T03:00:00.000Z'))
  const page = await site.open('/admin/publish')
  page.getByText(
    /^The check on 2026-11-20 found and repaired 2 pages with damaged files and other damaged files, such as/,
  )
})

test('the Publish page lists changes with reasons, publishes, and rolls back', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  ;(await readSettled(site)).getByRole('heading', UP_TO_DATE)
  await db.updateTable('taxonomy_terms').set({ name: '<b>Austin</b>' }).where('slug', '=', 'austin').execute()
  site.app.publishing.planner.noteChange()
  const planned = (await readSettled(site)).part('region', { name: '1 unpublished change' })
  planned.getByRole('link', { name: '<b>Austin</b>' })
  assert.match(planned.part('list', { name: 'What changed' }).words, /Place, changed/)
  const folded = planned.getByText(/^Updates up to \d+ pages?$/).closest('details')
  assert.equal(folded?.open, false)
  planned.getByText(/^Renaming the place Austin to <b>Austin<\/b> changes/)
  planned.getByText('/services/ac-repair/austin')
  assert.deepEqual(planned.queryAllByText('Austin', { selector: 'b' }), [])

  const before = findCurrentRelease(config.dataDir)?.id
  const address = await publishNow(site)
  for (const _reload of [1, 2]) (await site.open(address)).getByText(/^Published \d+ pages?: \d+ changed\.$/)
  assert.equal((await site.open('/admin/publish')).queryByText(/^Published \d+ page/), null)
  assert.notEqual(findCurrentRelease(config.dataDir)?.id, before)
  const [publish, first] = await listPublishes(db, { limit: 2 })
  assert.deepEqual(
    [publish?.startedBy, publish?.userId, publish?.status],
    ['admin', site.administratorId, 'published'],
  )
  assert.deepEqual(await newestChanges(site), ['Published the site'])
  const page = await readSettled(site)
  page.getByRole('heading', UP_TO_DATE)
  const [, newest] = page.part('table').getAllByRole('row')
  assert.ok(newest && within(newest).getByText('live now'))
  const details = await site.open(`/admin/publish/${publish?.id}`)
  assert.ok(details.fact('Started').words.endsWith('by ann@example.com'))
  details.getByText('Comparing and rendering pages')

  ;(await site.open(`/admin/publish/${first?.id}/rollback`)).getByRole('button', {
    name: 'Roll back site',
  })
  const back = await site.post(`/admin/publish/${first?.id}/rollback`)
  assert.equal(back.status, 303)
  assert.equal(findCurrentRelease(config.dataDir)?.id, before)
  ;(await readSettled(site)).getByText(/^The site was rolled back to an earlier release/)
  const [rolledBack, published] = await newestChanges(site, 2)
  assert.equal(rolledBack, `Rolled the site back to ${before}`)
  assert.equal(published, 'Published the site')
})

test('webhook edits set no unpublished mark, and an empty publish or sync by command clears it on every page', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const hasMark = async () => {
    const menu = (await site.open('/admin')).whole.part('navigation', { name: 'Admin' })
    return menu.queryByRole('link', { name: /^Publish\s*changes$/ }) !== null
  }
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

test('while any process publishes, the page shows its progress and refreshes without scripts', async (t) => {
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
    progress.phase(publishStep('comparing'))
    progress.update(1_204, 100_000)
    progress.finish()
    assert.match(await site.read('/admin/publish'), /<noscript>\s*<meta http-equiv="refresh" content="2">/)
    const screen = await site.open('/admin/publish')
    const again = screen.getByRole('button', { name: 'Publish again' })
    assert.ok(!again.classList.contains('btn-primary'), 'the progress comes first')
    const page = screen.part('region', { name: 'Publishing' })
    page.getByText('Comparing and rendering pages')
    page.getByText(/^1,204 of 100,000 pages compared/)
    const bar = page.getByRole('progressbar', { name: 'Progress' })
    assert.deepEqual([bar.getAttribute('value'), bar.getAttribute('max')], ['1204', '100000'])
    const state = await (await site.fetch('/admin/publish/progress')).json()
    assert.deepEqual([state.isPublishing, state.done, state.total], [true, 1_204, 100_000])
  })
  assert.equal((await (await site.fetch('/admin/publish/progress')).json()).isPublishing, false)
})

test('while a publish makes pictures, it shows how many are done', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const entries = db.selectFrom('content_entries').select('id').where('slug', '=', 'ac-repair')
  await editEntry(db, (await entries.executeTakeFirstOrThrow()).id, { title: 'Cooling' })
  const steps: { code: string; counts: string[] }[] = []
  const progress = {
    ...silentProgress,
    phase({ code }: Step) {
      steps.push({ code, counts: [] })
    },
    update(done: number, total: number) {
      steps.at(-1)?.counts.push(`${done}/${total}`)
    },
  }
  const { dataDir, databaseUrl, siteUrl } = config
  const options = { dataDir, databaseUrl, siteUrl, projectDir: PROJECT_DIR, progress }
  assert.equal((await publishSite(db, { ...options, now: () => new Date() })).kind, 'published')
  assert.deepEqual(
    steps.map(({ code }) => code),
    ['comparing', 'pictures', 'finishing'],
  )
  const counts = steps[1]?.counts ?? []
  assert.ok(counts.length > 0)
  assert.deepEqual(
    counts,
    counts.map((_, index) => `${index + 1}/${counts.length}`),
  )
})

test('a failed publish shows the reason and leaves the site unchanged', async (t) => {
  const site = await startAdmin(t)
  const { db, config } = site.app
  const before = findCurrentRelease(config.dataDir)?.id
  await addEntry(db, 'pages', { slug: 'services', title: 'Takes the address of the list of services' })
  const address = await publishNow(site)
  assert.equal(findCurrentRelease(config.dataDir)?.id, before)
  const why = /Two pages have the address \/services/
  ;(await site.open(address)).getByText(/^Publishing failed\./)
  const [, newest] = (await readSettled(site)).part('table').getAllByRole('row')
  assert.ok(newest && within(newest).getByText(why))
  const [failed] = await listPublishes(db, { limit: 1 })
  const alert = (await site.open(`/admin/publish/${failed?.id}`)).part('alert')
  alert.getByText('The site did not change.')
  alert.getByText(why)
})

test('a rollback after two publishes were requested stays until the next request', async (t) => {
  const site = await startAdmin(t)
  const { db, config, publishing } = site.app
  const { dataDir } = config
  await publishNow(site)
  await withFileLock(publishLock(dataDir), async () => {
    for (const _request of [1, 2]) assert.equal((await site.post('/admin/publish')).status, 303)
    const at = new Date().toISOString()
    const starter = { startedBy: 'command', userId: null, startedAt: at } as const
    const id = await insertPublish(db, { machine: machineOf(dataDir), ...starter })
    await endPublish(db, id, { status: 'rolled_back', finishedAt: at })
  })
  await waitFor(async () => !publishing.isRunning() && !publishing.publisher.isQueued(), PATIENCE_MS)
  const newest = await listPublishes(db, { limit: 3 })
  assert.deepEqual(
    newest.map(({ status }) => status),
    ['failed', 'failed', 'rolled_back'],
  )
  await publishNow(site)
  assert.notEqual((await listPublishes(db, { limit: 1 }))[0]?.status, 'failed')
})

test('upcoming schedules are listed, and unknown entries return 404', async (t) => {
  const site = await startAdmin(t)
  const publishAt = new Date(Date.now() + 86_400_000).toISOString()
  await addEntry(site.app.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt })
  const sale = (await site.open('/admin/publish')).getByRole('link', { name: 'Winter sale' })
  assert.ok(wordsOf(sale.parentElement as Element).endsWith(': Winter sale goes live'))
  for (const path of ['/admin/publish/999', '/admin/publish/999/rollback', '/admin/publish/x'])
    assert.equal((await site.fetch(path)).status, 404, path)
})
