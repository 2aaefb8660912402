import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Outlet } from '#src/publish/outlets/outlet-store.ts'
import { shownOutlets } from '#src/publish/outlets/shown-outlets.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { runScript } from '../../support/running-site.ts'

test('commands of a site with a CDN but no bucket report only purges', async (t) => {
  const cdn = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(cdn, 'listening')
  atEnd(t, () => void cdn.close())
  const contentDir = temporaryFolder(t)
  mkdirSync(join(contentDir, 'pages'))
  const write = (title: string) =>
    writeFileSync(join(contentDir, 'pages/about.md'), `---\ntitle: ${title}\n---\n`)
  writeFileSync(join(contentDir, 'site.yaml'), 'name: Small\n')
  const environment = { PURGE: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge` }
  const options = { dataDir: temporaryFolder(t), contentDir, environment }
  const publishTo = async (...words: string[]) =>
    (await runScript('publish-to.ts', { ...options, arguments: words })).output.trim()
  write('About us')
  const first = await runScript('build.ts', options)
  assert.doesNotMatch(first.output, /static host|bucket/, first.output)
  assert.equal(await publishTo(), 'No URLs have changed since the last run, so nothing was sent.')
  assert.equal(await publishTo('--dry-run'), 'PUBLISH_TO is not set, so nothing would be uploaded.')
  assert.match((await runScript('doctor.ts', options)).output, /^✓ Static host +not set up/m)
  write('About')
  const second = await runScript('build.ts', options)
  assert.match(second.output, /^The CDN purged \d+ URLs\.$/m)
  assert.doesNotMatch(second.output, /static host|bucket/)
})

test('an upload without a bucket is shown only if it failed', () => {
  const of = (status: 'done' | 'failed') =>
    [
      { name: 'upload', status },
      { name: 'purge', status },
    ] as Outlet[]
  const namesOf = (status: 'done' | 'failed', publicBucket?: object) =>
    shownOutlets(of(status), { publicBucket: publicBucket as never }).map(({ name }) => name)
  assert.deepEqual(namesOf('done'), ['purge'])
  assert.deepEqual(namesOf('failed'), ['upload', 'purge'])
  assert.deepEqual(namesOf('done', {}), ['upload', 'purge'])
})
