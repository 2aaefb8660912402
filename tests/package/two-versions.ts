import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createAdministrator } from '#src/auth/create-administrator.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { EXTENDED_SINCE, unpackProgram, withoutHistory } from '../support/earlier-program.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { needsPostgres } from '../support/postgres-database.ts'
import { waitFor } from '../support/running-site.ts'
import { startSharedSite } from '../support/shared-servers.ts'
import { signIn } from '../support/sign-in.ts'
import { VALID_ANSWERS } from '../support/submission-server.ts'

const FOLLOWED_WITHIN_MS = 2_000
const SERVICE = '/services/ac-repair'
const ACCOUNT = { email: 'ann@example.com', name: null, password: 'correct horse battery' }
/** Screens that both versions have. */
const SCREENS = [
  ...['/admin', '/admin/inbox?status=all', '/admin/inbox/1', '/admin/forms', '/admin/forms/quote'],
  ...['/admin/webhooks', '/admin/deliveries', '/admin/entries', '/admin/entries/services', '/admin/coverage'],
  ...['/admin/taxonomies/locations', '/admin/publish', '/admin/pictures', '/admin/trash', '/admin/settings'],
  ...['/admin/users', '/admin/audit', '/admin/servers', '/admin/account'],
]

const withoutBoth = withoutHistory || needsPostgres.skip

test('servers of two versions show one site, whichever of them publishes', {
  skip: withoutBoth,
}, async (t) => {
  const programDir = join(temporaryFolder(t), 'earlier')
  unpackProgram(EXTENDED_SINCE, programDir)
  const site = await startSharedSite(t, { isMigrated: false })
  const contentOf = () => aPartOfTheExample(t, join(programDir, 'content'))
  const first = await site.start({ programDir, contentDir: contentOf() })
  const second = await site.start({ programDir, contentDir: contentOf() })
  const servers: (typeof first)[] = [first, second]
  const crawler = crawl(t, servers)

  const third = await site.start({ contentDir: contentOf() })
  servers.push(third)
  // A start that could not publish logs the reason, and the next publish makes up for it.
  await waitFor(async () => (await site.countStarts()) === servers.length, 60_000).catch(third.publish)
  await sameEverywhere(servers, async ({ health }) => (await health()).release)
  await createAdministrator(site.db, ACCOUNT, { now: new Date() })
  for (const { url } of servers) await checkAdmin(url)
  for (const [index, { publish }] of [first, third, second].entries()) {
    await site.setTitle('ac-repair', `Edition ${index}`)
    await publish()
    await waitFor(async () => {
      const pages = await Promise.all(servers.map(({ read }) => read(SERVICE)))
      return pages.every((html) => html.includes(`Edition ${index}`))
    }, FOLLOWED_WITHIN_MS)
    await sameEverywhere(servers, ({ read }) => read('/sitemap-0.xml'))
  }
  servers.splice(1, 1)
  await second.end('SIGTERM')
  const { dataDir, contentDir } = second
  servers.push(await site.start({ dataDir, contentDir, programDir }))
  await sameEverywhere(servers, ({ read }) => read(SERVICE))
  assert.ok((await crawler.end()) > 0)
})

interface Served {
  url: string
}

/** Reads the page and its files from the servers in turn, until `end`; fails if one is missing. */
function crawl(t: TestContext, servers: readonly Served[]) {
  const over = new AbortController()
  atEnd(t, () => over.abort())
  let turn = 0
  const read = async (path: string) => {
    const { url } = servers[turn++ % servers.length] as Served
    const response = await fetch(url + path).catch(() => undefined)
    // One that was just stopped.
    if (!response && !servers.some((one) => one.url === url)) return ''
    assert.equal(response?.status, 200, `${path} on ${url}`)
    return response?.text() ?? ''
  }
  const crawling = (async () => {
    let pages = 0
    for (; !over.signal.aborted; pages += 1) {
      const html = await read(SERVICE)
      for (const [asset] of html.matchAll(/(?<=(?:href|src)=")\/(?:_astro|og)\/[^"#]+/g)) await read(asset)
    }
    return pages
  })()
  crawling.catch(() => {})
  return {
    end() {
      over.abort()
      return crawling
    },
  }
}

async function sameEverywhere<One extends Served>(
  servers: readonly One[],
  find: (server: One) => Promise<string>,
) {
  await waitFor(async () => new Set(await Promise.all(servers.map(find))).size === 1)
}

/** Signs in, posts a lead, and opens every screen. */
async function checkAdmin(url: string) {
  const cookie = await signIn(url, ACCOUNT)
  const posted = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...VALID_ANSWERS, _page: SERVICE }),
  })
  assert.equal(posted.status, 201, await posted.text())
  for (const path of SCREENS) {
    const response = await fetch(url + path, { headers: { cookie }, redirect: 'manual' })
    assert.equal(response.status, 200, `${path} on ${url}`)
    await response.arrayBuffer()
  }
}
