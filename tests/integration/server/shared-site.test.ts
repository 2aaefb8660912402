import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { needsPostgres } from '#tests/support/postgres-database.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { startSharedSite } from '#tests/support/shared-servers.ts'
import { printFigure, soakLength } from '#tests/support/soak.ts'

const FOLLOWED_WITHIN_MS = 2_000
const PUBLISHES = soakLength(3, 50)
const SERVICE = '/services/ac-repair'
const PAGE = '---\ntitle: New page\nsummary: Added on A\n---\n\nWe are here.\n'

// Each step uses the servers of the first: starting them takes longer than all steps.
test('several servers serve one release with consistent content', needsPostgres, async (t) => {
  const site = await startSharedSite(t)
  const [a, b] = [await site.start(), await site.start()]
  const servers = [a, b]

  await t.test('a joining server has the release before it is healthy', async () => {
    assert.equal((await b.health()).release, (await a.health()).release)
    assert.equal(await b.read('/sitemap-0.xml'), await a.read('/sitemap-0.xml'))
  })

  await t.test('a crawler that alternates between servers finds every page and asset', async () => {
    const stopping = new AbortController()
    const crawling = crawl(servers, stopping.signal)
    let slowestMs = 0
    for (let edition = 1; edition <= PUBLISHES; edition++) {
      await site.setTitle('ac-repair', `Edition ${edition}`)
      const [publisher, other] = edition % 2 ? [a, b] : [b, a]
      await publisher.publish()
      const startedAt = performance.now()
      await waitFor(async () => (await other.read(SERVICE)).includes(`Edition ${edition}`))
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    }
    stopping.abort()
    const count = await crawling
    assert.ok(slowestMs < FOLLOWED_WITHIN_MS, `${slowestMs} ms`)
    printFigure(
      t,
      `${PUBLISHES} publishes on all within ${Math.ceil(slowestMs)} ms, ${count} answers: all 200`,
    )
  })

  await t.test('a rolling restart with content edited on one only reverts and removes nothing', async () => {
    writeFileSync(join(a.contentDir, 'pages', 'new-page.md'), PAGE)
    const restarted = []
    for (const { end, dataDir, contentDir } of servers) {
      await end('SIGTERM')
      restarted.push(await site.start({ dataDir, contentDir }))
    }
    // Each syncs and publishes after it serves.
    await waitFor(async () => (await site.countStarts()) === 2 * servers.length, 60_000)
    for (const { read } of restarted) {
      assert.match(await read('/new-page'), /New page/)
      assert.ok((await read(SERVICE)).includes(`Edition ${PUBLISHES}`))
    }
  })
})

interface Served {
  url: string
}

async function crawl(servers: readonly Served[], signal: AbortSignal): Promise<number> {
  let turn = 0
  let count = 0
  const read = async (path: string) => {
    const { url } = servers[turn++ % servers.length] as Served
    const response = await fetch(url + path)
    assert.equal(response.status, 200, `${path} on ${url}`)
    count += 1
    return response.text()
  }
  while (!signal.aborted) {
    const html = await read(SERVICE)
    const [, ...others] = new Set(html.match(/Edition \d+/g))
    assert.deepEqual(others, [], 'one page mixes editions')
    for (const [asset] of html.matchAll(/(?<=(?:href|src)=")\/(?:_astro|og)\/[^"#]+/g)) await read(asset)
  }
  return count
}
