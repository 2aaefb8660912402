import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { deleteEntry } from '#src/entries/editing/delete-entry.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { findLogEnd } from '#src/publish/changes/change-store.ts'
import { hashPages } from '#src/publish/previews/page-hashes.ts'
import { previewFolder } from '#src/publish/previews/preview-folder.ts'
import { stagePreview } from '#src/publish/previews/stage-preview.ts'
import { findCurrentRelease } from '#src/publish/release/release.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { draftEntry, editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const SITE = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com' }

async function aSite(t: TestContext) {
  const site = await aPublishedSite(t)
  const { db, dataDir, publish, now } = site
  const about = await addEntry(db, 'pages', { slug: 'about', title: 'About', body: 'A' })
  const gone = await addEntry(db, 'pages', { slug: 'gone', title: 'Gone' })
  await publish()
  const releaseId = findCurrentRelease(dataDir)?.id ?? ''
  const folder = (key: string) => previewFolder(dataDir, { key, releaseId })
  const stage = (key: string, options = {}) => stagePreview(db, { ...SITE, dataDir, now, key, ...options })
  return { ...site, about, gone, releaseId, folder, stage }
}

test('a preview has the pages that differ from the live site, and nothing of it changes', async (t) => {
  const { db, dataDir, about, gone, releaseId, folder, stage } = await aSite(t)
  const before = statSync(join(dataDir, 'ledger.db')).size
  const same = await stage('none')
  assert.deepEqual([same.pageCount, same.changes, same.kinds, same.pagesHash], [0, [], {}, hashPages([])])
  assert.deepEqual(readdirSync(folder('none')), [])
  await editEntry(db, about, { body: 'Other words' })
  await addEntry(db, 'services', { slug: 'heating', title: 'Heating' })
  await deleteEntry(db, gone, { now: new Date() })
  const store = temporaryFolder(t)
  const shared = { files: openDiskFiles(store), server: 'a', owner: 'a' }
  const staged = await stage('key', { first: [`entry:${gone}`], shared })
  assert.deepEqual(readdirSync(join(store, 'previews/key', releaseId)), ['0'])
  assert.deepEqual([staged.releaseId, staged.changeId], [releaseId, (await findLogEnd(db)).id])
  const [first, ...others] = staged.changes
  assert.deepEqual(first, { change: 'removed', path: '/gone', key: `entry:${gone}`, title: first?.title })
  assert.match(first?.title ?? '', /^Gone/)
  const paths = new Map(others.map(({ path, change }) => [path, change]))
  assert.deepEqual(
    [paths.get('/about'), paths.get('/services/heating'), paths.get('/')],
    ['changed', 'added', 'changed'],
  )
  assert.equal(others[0]?.path, '/', 'the home page comes first')
  assert.equal(staged.pageCount, staged.changes.length)
  assert.equal(
    Object.values(staged.kinds).reduce((sum, count) => sum + count, 0),
    staged.pageCount,
  )
  const read = (file: string) => readFileSync(join(folder('key'), file), 'utf8')
  assert.match(read('about.html'), /Other words/)
  assert.deepEqual([read('gone.html'), existsSync(join(folder('key'), '404.html'))], ['', paths.has('/404')])
  assert.match(others.find(({ path }) => path === '/services/heating')?.title ?? '', /Heating/)
  assert.equal(findCurrentRelease(dataDir)?.id, releaseId)
  assert.ok(existsSync(join(findCurrentRelease(dataDir)?.siteDir ?? '', 'gone.html')))
  assert.equal(statSync(join(dataDir, 'ledger.db')).size, before)
  const again = await stage('key')
  assert.equal(again.pagesHash, staged.pagesHash)
})

test('a preview of selected changes has no others, but drafts if they were selected', async (t) => {
  const { db, about, gone, folder, stage } = await aSite(t)
  await draftEntry(db, about, { body: 'A draft' })
  await editEntry(db, gone, { body: 'Not selected' })
  const only = [{ subject: 'entry', subjectId: `${about}`, draft: 'x' }]
  const staged = await stage('key', { only })
  assert.deepEqual(
    staged.changes.map(({ change, path, key }) => [change, path, key]),
    [['changed', '/about', `entry:${about}`]],
  )
  assert.deepEqual(staged.kinds, { other: 1 })
  assert.match(readFileSync(join(folder('key'), 'about.html'), 'utf8'), /A draft/)
})

test('there is no preview before the first publish', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const staging = stagePreview(db, { ...SITE, dataDir, now: () => new Date(), key: 'key' })
  await assert.rejects(staging, { code: 'nothingLive' })
})
