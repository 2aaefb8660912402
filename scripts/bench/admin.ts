import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, openApp } from '../../src/app.ts'
import { createAdministrator, type NewAdministrator } from '../../src/auth/create-administrator.ts'
import { startSession } from '../../src/auth/sessions.ts'
import { readConfig } from '../../src/config.ts'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createProgress } from '../../src/lib/progress.ts'
import { ensureBundle, loadAdmin } from '../../src/publish/render/bundle.ts'
import { createFront } from '../../src/server/http/front.ts'
import { stopServer } from '../../src/server/http/stop-server.ts'
import { measureClaims } from './claims.ts'
import { fillAdmin } from './fill-admin.ts'
import { fillGrowth } from './fill-growth.ts'
import { median, percentile } from './measure.ts'
import type { Measurement } from './report.ts'

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const SUBMISSIONS = 1_000_000
const ENTRIES = 100_000
const REQUESTS = 25
const WARM_UP = 3
const MOST_MS = 60
const MOST_POSTGRES_MS = 150
/** The same in every run, because the database knows its key. */
const BENCH_KEY = Buffer.alloc(32, 7).toString('base64')
const MOST_QUERIES = 12
/** PostgreSQL finds leads in several steps; see `searchSubmissionIds`. */
const MOST_POSTGRES_QUERIES = 16

const PAGES = [
  '/admin/inbox',
  '/admin/inbox?status=new',
  '/admin/inbox?status=all',
  '/admin/inbox?form=quote&status=archived&from=2025-06-01&until=2026-03-01',
  '/admin/inbox?status=all&q=person123456',
  '/admin/inbox?status=all&q=kitchen',
  '/admin/inbox?status=all&q=nowhere',
  '/admin/inbox?q=leaks+person1',
  '/admin/inbox?status=new&q=bathroom&location=place-5',
  '/admin/inbox?status=all&location=place-77',
  '/admin/inbox?status=all&q=service+77+place+777',
  '/admin/inbox?status=all&location=Place+7',
  '/admin/inbox?status=all&location=place',
  '/admin/inbox?status=archived&page=older~2025-12-01T00:00:00.000Z~500000',
  '/admin/inbox?status=all&source=referral%3Aexample.org',
  '/admin/inbox?status=all&stage=won',
  '/admin/inbox?status=all&q=ann+archer',
  '/admin/inbox?status=all&q=zebra&from=2025-06-01&until=2025-07-01',
  '/admin/inbox?status=spam&location=place-5&q=kitchen',
  '/admin/inbox/1000000',
  '/admin',
  '/admin/forms',
  '/admin/forms/quote',
  '/admin/forms/quote/webhooks',
  '/admin/webhooks',
  '/admin/deliveries',
  '/admin/deliveries?status=failed',
  '/admin/deliveries/2000000',
  '/admin/reports',
  '/admin/reports?period=2026',
  '/admin/entries',
  '/admin/entries/services',
  '/admin/entries/location_services',
  '/admin/coverage',
  '/admin/coverage?results=show',
  '/admin/coverage/quality',
  '/admin/taxonomies',
  '/admin/taxonomies/locations',
  '/admin/content-types',
  '/admin/publish',
  '/admin/publish/changes',
  '/admin/pictures',
  '/admin/trash',
  '/admin/privacy',
  '/admin/users',
  '/admin/audit',
  '/admin/home',
  '/admin/settings',
  '/admin/account',
]

/**
 * Measures the time and queries of each admin page, one request at a time, with a million submissions and a hundred
 * thousand entries on SQLite, or on the PostgreSQL of `DATABASE_URL` with two million deliveries. Missing pages
 * (404) are left out. On PostgreSQL, also measures how long due deliveries take to find.
 */
export async function benchAdmin(): Promise<Measurement[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const { DATABASE_URL: databaseUrl = '' } = process.env
  try {
    if (databaseUrl.startsWith('postgres')) {
      await fillGrowth(databaseUrl)
      const atMostMs = MOST_POSTGRES_MS
      const mostQueries = MOST_POSTGRES_QUERIES
      const measure = (admin: BenchedAdmin) => measurePages(admin, PAGES, { atMostMs, mostQueries })
      const environment = { DATABASE_URL: databaseUrl, SECRET_KEY: BENCH_KEY }
      const pages = await withAdmin(dataDir, measure, environment)
      return [...pages, ...(await measureClaims(databaseUrl))]
    }
    const path = join(dataDir, 'signpost.db')
    const db = connectDatabase(`file:${path}`)
    await migrate(db)
    await db.destroy()
    fillAdmin(path, { submissions: SUBMISSIONS, entries: ENTRIES })
    return await withAdmin(dataDir, (admin) => measurePages(admin, PAGES))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The admin of a data folder, with a session. */
export interface BenchedAdmin extends Pick<App, 'db'> {
  url: string
  /** Session of an owner without limits. */
  cookie: string
  /** Number of SQL queries of its pages. */
  counter: { count: number }
}

/** Serves a data folder's admin in this process while `work` runs. */
export async function withAdmin<T>(
  dataDir: string,
  work: (admin: BenchedAdmin) => Promise<T>,
  environment: Record<string, string> = {},
): Promise<T> {
  const fixed = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: 'off' }
  const app = await openApp(readConfig({ ...environment, ...fixed }))
  const bundle = await ensureBundle(PROJECT_DIR)
  const answerAdmin = await loadAdmin(bundle)
  const counter = countQueries(app)
  const server = createFront(app, {
    clientDir: bundle.clientDir,
    renderer: () => Promise.reject(new Error('No public page is asked for')),
    answerAdmin: (request, locals) => counter.around(() => answerAdmin(request, locals)),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  app.startWorkers()
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return await work({ url, cookie: await signIn(app), counter, db: app.db })
  } finally {
    await stopServer(server, app)
  }
}

/** Measures admin pages, one request at a time. */
export async function measurePages(
  { url, cookie, counter }: BenchedAdmin,
  pages: readonly string[],
  { atMostMs = MOST_MS, mostQueries = MOST_QUERIES } = {},
): Promise<Measurement[]> {
  const progress = createProgress('Asking for pages')
  const figures: Measurement[] = []
  for (const [index, page] of pages.entries()) {
    const address = await withSealedWords(url + page, cookie)
    figures.push(...(await measurePage(address, { page, cookie, counter, atMostMs, mostQueries })))
    progress.update(index + 1, pages.length)
  }
  progress.finish()
  return figures
}

/** Creates an account, by default an owner without limits, and returns its session cookie. */
export async function signIn(
  { db }: Pick<App, 'db'>,
  access: Pick<NewAdministrator, 'role' | 'limits'> = {},
): Promise<string> {
  const email = `bench-${Date.now()}@example.com`
  const account = { email, name: null, password: 'a ladder in the fog', ...access }
  const created = await createAdministrator(db, account, { now: new Date() })
  if (created.kind !== 'saved') throw new Error('The account was not made')
  const visitor = { address: '127.0.0.1', userAgent: 'bench' }
  return `signpost_session=${await startSession(db, created.value, visitor, { now: new Date() })}`
}

// A search redirects to the URL that is measured.
async function withSealedWords(address: string, cookie: string): Promise<string> {
  if (!new URL(address).searchParams.has('q')) return address
  return (await fetch(address, { headers: { cookie, accept: 'text/html' } })).url
}

async function measurePage(
  url: string,
  {
    page,
    cookie,
    counter,
    atMostMs,
    mostQueries,
  }: { page: string; cookie: string; counter: { count: number }; atMostMs: number; mostQueries: number },
): Promise<Measurement[]> {
  const times: number[] = []
  const busy: number[] = []
  let queries = 0
  for (let request = 0; request < REQUESTS + WARM_UP; request++) {
    const before = counter.count
    const cpuBefore = process.threadCpuUsage()
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    await response.text()
    if (response.status === 404) return []
    if (response.status !== 200) throw new Error(`${page} answered ${response.status}`)
    const { user, system } = process.threadCpuUsage(cpuBefore)
    if (request >= WARM_UP) {
      times.push(performance.now() - startedAt)
      busy.push((user + system) / 1_000)
    }
    queries = Math.max(queries, counter.count - before)
  }
  times.sort((a, b) => a - b)
  return [
    { name: `${page}: p50`, value: percentile(times, 0.5), unit: 'ms' },
    { name: `${page}: p95`, value: percentile(times, 0.95), unit: 'ms', atMost: atMostMs },
    // CPU time of both ends of the request, which is independent of other work on the machine.
    { name: `${page}: processor, p50`, value: median(busy), unit: 'ms' },
    { name: `${page}: queries`, value: queries, unit: '', atMost: mostQueries },
  ]
}

// Background work is excluded.
function countQueries({ db }: App) {
  const asking = new AsyncLocalStorage<true>()
  const counter = { count: 0, around: <T>(work: () => T) => asking.run(true, work) }
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (...query) => {
    if (asking.getStore()) counter.count += 1
    return execute(...query)
  }
  return counter
}
