import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentProgress } from '#src/lib/progress.ts'
import { readPages } from '#src/publish/ledger/newest-release.ts'
import { renderShard } from '#src/publish/render/shards.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPublishedSite } from '../../support/publishing.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

test('shards together have every page once, in folders of their own', async (t) => {
  const { db, publish } = await aPublishedSite(t)
  await addEntry(db, 'pages', { slug: 'about', title: 'About' })
  const folder = join(temporaryFolder(t), 'shard')
  const steps: [done: number, of: number][] = []
  let ended = 0
  const progress = {
    ...silentProgress,
    update: (done: number, of: number) => steps.push([done, of]),
    finish: () => ended++,
  }
  const options = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now: () => new Date(), progress }
  const render = (number: number, count: number, to = folder) =>
    renderShard(db, options, { shard: { number, count }, folder: to })
  const pathsIn = (of: string) => readPages(of).map(({ path }) => path)

  const all = await render(1, 1)
  const paths = pathsIn(folder)
  assert.equal(paths.length, all)
  assert.ok(readPages(folder).every(({ size }) => size > 0))
  assert.deepEqual([steps.at(-1), ended], [[all, all], 1])
  assert.ok(steps.every(([done, of]) => done <= of))
  assert.ok(existsSync(join(folder, 'site/services/ac-repair/dallas.html')))
  const { plan } = await publish({ shards: [folder] })
  assert.equal(plan.added, all)

  const second = `${folder}-2`
  const rendered = [await render(1, 2), await render(2, 2, second)]
  assert.equal(rendered[0] && rendered[1] && rendered[0] + rendered[1], all)
  assert.deepEqual([...pathsIn(folder), ...pathsIn(second)].toSorted(), paths.toSorted())
  for (const path of pathsIn(second)) assert.ok(!existsSync(join(folder, `site${path}.html`)), path)
})

test('a shard replaces an earlier one, and nothing else', async (t) => {
  const { db } = await aPublishedSite(t)
  const folder = temporaryFolder(t)
  const options = { projectDir: PROJECT_DIR, siteUrl: 'https://example.com', now: () => new Date() }
  const render = () =>
    renderShard(db, { ...options, progress: silentProgress }, { shard: { number: 1, count: 9 }, folder })
  const namesIn = () => readdirSync(folder).toSorted()
  await render()
  const names = namesIn().filter((name) => !/-(wal|shm)$/.test(name))
  assert.deepEqual(names, ['ledger.db', 'site'])
  writeFileSync(join(folder, 'ledger.db-wal'), '')
  writeFileSync(join(folder, 'site/left.html'), '')
  await render()
  assert.equal(existsSync(join(folder, 'site/left.html')), false)
  writeFileSync(join(folder, 'mine.txt'), '')
  await assert.rejects(render(), { code: 'otherFiles' })
  assert.ok(existsSync(join(folder, 'mine.txt')))
  rmSync(folder, { recursive: true })
  mkdirSync(join(folder, 'site'), { recursive: true })
  await assert.rejects(render(), { code: 'otherFiles' })
  assert.deepEqual(namesIn(), ['site'])
})
