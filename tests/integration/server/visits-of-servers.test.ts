import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { needsPostgres, postgresDatabase } from '#tests/support/postgres-database.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { startSubmissionServer, VALID_ANSWERS } from '#tests/support/submission-server.ts'

const VISITS = 20
const LEADS = 5
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const PAGES = ['/of-the-first', '/of-the-second'] as const

test(
  'results count all servers, and a crash loses only the views of its own server',
  needsPostgres,
  async (t) => {
    const { url } = await postgresDatabase(t, { isMigrated: true })
    const db = connectDatabase(url, { maxConnections: 1 })
    atEnd(t, () => db.destroy())
    const pages = PAGES.map((path, index) => ({ path, page_key: `entry:${index + 1}` }))
    await db.insertInto('published_addresses').values(pages).execute()
    const settings = {
      DATABASE_URL: url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      TRUSTED_PROXIES: 1,
      BACKUP_KEEP: 0,
    }
    // One after the other, because each stores the same form.
    const first = await startSubmissionServer(t, temporaryFolder(t), settings)
    const second = await startSubmissionServer(t, temporaryFolder(t), settings)
    await Promise.all([visit(first.url, PAGES[0]), visit(second.url, PAGES[1])])
    for (let lead = 0; lead < LEADS; lead += 1)
      await Promise.all([post(first.url, PAGES[0]), post(second.url, PAGES[1])])
    const exited = once(first.process, 'exit')
    first.process.kill('SIGKILL')
    await exited

    await waitFor(async () => (await countVisits(db, PAGES[1])) === VISITS)
    assert.ok((await countVisits(db, PAGES[0])) <= VISITS)
    // The server that is left adds up the leads of both.
    await waitFor(async () => (await listChanges(db)).length === 0, 60_000)
    const period = new Date().toISOString().slice(0, 7)
    const report = await loadReport(db, { period, scope: { places: null } })
    assert.equal(report.total.leads, 2 * LEADS)
    assert.deepEqual(
      PAGES.map((path) => report.pages.find(({ subject }) => subject === path)?.leads),
      [LEADS, LEADS],
    )
  },
)

async function visit(url: string, page: string) {
  for (let visitor = 1; visitor <= VISITS; visitor += 1) {
    const response = await fetch(`${url}/api/visits`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': BROWSER,
        'x-forwarded-for': `198.51.100.${visitor}`,
      },
      body: JSON.stringify({ event: 'view', page }),
    })
    assert.ok(response.ok, String(response.status))
    await response.arrayBuffer()
  }
}

async function post(url: string, page: string) {
  const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...VALID_ANSWERS, _page: page }),
  })
  assert.equal(response.status, 201, await response.text())
}

async function countVisits(db: Kysely<Schema>, page: string): Promise<number> {
  const { views } = await db
    .selectFrom('traffic_counts')
    .select(({ fn }) => fn.sum<number | null>('views').as('views'))
    .where('dimension', '=', 'page')
    .where('subject', '=', page)
    .where('place', '=', '#')
    .where(({ fn }) => fn<number>('length', ['period']), '=', 4)
    .executeTakeFirstOrThrow()
  return Number(views ?? 0)
}

function listChanges(db: Kysely<Schema>) {
  return db.selectFrom('lead_changes').select('id').limit(1).execute()
}
