import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { listPublishes } from '#src/publish/publish-store.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { assertWithin } from '#tests/support/assert-within.ts'
import { needsPostgres } from '#tests/support/postgres-database.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { startSharedSite } from '#tests/support/shared-servers.ts'
import { signIn } from '#tests/support/sign-in.ts'
import { addEntry } from '#tests/support/small-site.ts'
import { printFigure, soakLength } from '#tests/support/soak.ts'
import { VALID_ANSWERS } from '#tests/support/submission-server.ts'

const FOLLOWED_WITHIN_MS = 2_000
const PUBLISHES = soakLength(3, 50)
const SERVICE = '/services/ac-repair'
const PAGE = '---\ntitle: New page\nsummary: Added on A\n---\n\nWe are here.\n'

// Each step uses the servers of the first: starting them takes longer than all steps.
test('several servers serve one release with consistent content', needsPostgres, async (t) => {
  const site = await startSharedSite(t)
  const [a, b] = [await site.start(), await site.start()]
  const servers = [a, b]
  const listScheduled = async () => {
    const publishes = await listPublishes(site.db, { limit: 1_000 })
    return publishes.flatMap(({ startedBy, status }) => (startedBy === 'schedule' ? status : []))
  }

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
      const publishing = (edition % 2 ? a : b).publish()
      slowestMs = Math.max(slowestMs, await timeToAll(servers, `Edition ${edition}`))
      await publishing
    }
    stopping.abort()
    const count = await crawling
    assertWithin(slowestMs, FOLLOWED_WITHIN_MS)
    printFigure(
      t,
      `${PUBLISHES} publishes on all within ${Math.ceil(slowestMs)} ms, ${count} answers: all 200`,
    )
  })

  await t.test('a rollback on one server is on all of them within 2 s', async () => {
    const rollingBack = site.rollBack(b)
    const tookMs = await timeToAll(servers, `Edition ${PUBLISHES - 1}`)
    const { code, output } = await rollingBack
    assert.equal(code, 0, output)
    assertWithin(tookMs, FOLLOWED_WITHIN_MS)
    printFigure(t, `a rollback on all within ${Math.ceil(tookMs)} ms`)
    await a.publish()
  })

  await t.test('a schedule publishes once, and its page is on all servers', async () => {
    const openAt = new Date(Date.now() + 2_000).toISOString()
    await addEntry(site.db, 'pages', { slug: 'sale', title: 'Winter sale', publishAt: openAt })
    await waitFor(async () => {
      const pages = await Promise.all(servers.map(({ read }) => read('/sale')))
      return pages.every((html) => html.includes('Winter sale'))
    })
    await waitFor(async () => (await listScheduled()).every((status) => status !== 'running'))
    assert.deepEqual(await listScheduled(), ['published'])
  })

  await t.test('an account, its sessions, settings, forms, and leads are the same on both', async () => {
    await createAdministrator(site.db, ACCOUNT, { now: new Date() })
    const cookie = await signIn(a.url, ACCOUNT)
    const onB = (path: string) => fetch(b.url + path, { redirect: 'manual', headers: { cookie } })
    const settings = await findSiteSettings(site.db)
    const now = new Date().toISOString()
    await saveSiteSettings(site.db, { ...settings, phone: '(512) 555-0177' }, { now })
    assert.match(await (await onB('/admin/settings')).text(), /\(512\) 555-0177/)
    const lead = await postForm(b.url, { full_name: 'Lena Lead' })
    assert.equal(lead.status, 201)
    const onA = await fetch(`${a.url}/admin/inbox`, { headers: { cookie } })
    assert.match(await onA.text(), /Lena Lead/)
    const post = (path: string, fields: Record<string, string> = {}) =>
      fetch(a.url + path, {
        ...{ method: 'POST', redirect: 'manual', headers: { cookie, origin: a.url } },
        body: new URLSearchParams(fields),
      })
    assert.equal((await post('/admin/forms/waitlist/status', { status: 'archived' })).status, 303)
    await waitFor(async () => (await postForm(b.url, { full_name: 'Too late' })).status === 410)
    assert.equal((await post('/admin/logout')).status, 303)
    assert.equal((await onB('/admin')).status, 303)
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
    assert.deepEqual(await listScheduled(), ['published'], 'no server has published the schedule again')
  })
})

const ACCOUNT = { email: 'ann@example.com', name: null, password: 'correct horse battery' }

function postForm(url: string, answers: Record<string, string>) {
  return fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...VALID_ANSWERS, ...answers }),
  })
}

interface Served {
  url: string
  read(path: string): Promise<string>
}

/** Waits until all servers show a text; returns the milliseconds since the first of them did. */
async function timeToAll(servers: readonly Served[], text: string): Promise<number> {
  const shown = await Promise.all(
    servers.map(async ({ read }) => {
      await waitFor(async () => (await read(SERVICE)).includes(text), 60_000)
      return performance.now()
    }),
  )
  return Math.max(...shown) - Math.min(...shown)
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
