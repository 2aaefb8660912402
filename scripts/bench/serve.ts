import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createProgress } from '../../src/lib/progress.ts'
import { readPages } from '../../src/publish/ledger/newest-release.ts'
import { publishSite } from '../../src/publish/publish-site.ts'
import { pageFile } from '../../src/publish/release/page-file.ts'
import type { Release } from '../../src/publish/release/release.ts'
import { fillDatabase } from './build/data-set.ts'
import { freePorts, median } from './measure.ts'
import { residentBytes } from './process-tree.ts'
import type { Measurement } from './report.ts'
import { startServer, type Target } from './start-server.ts'

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const PATH = '/services/ac-repair/city-7'
// More than the server caches in memory.
const PAGES = 5_000
const CRAWLED = 100_000
const CONNECTIONS = 32
const ROUNDS = 5
const ROUND_MS = 2_000
const WARM_UP_MS = 1_000
const LEAST_SHARE = 0.35
const MOST_GROWTH_MIB = 96

/**
 * Measures requests per second for one local page of the current release, in turn with a bare server that answers
 * the same bytes from memory; the same for readers who have the page cached; and the memory of a crawler's visit.
 */
export async function benchServe(): Promise<Measurement[]> {
  const folder = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'signpost-bench-'))
  const targets: Target[] = []
  try {
    const release = await publishExample(folder)
    const [bare, site] = await startServers(folder, release, targets)
    return [...(await measureRates(bare, site)), ...(await measureCrawl(site, folder))]
  } finally {
    for (const { process: server } of targets) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function publishExample(dataDir: string): Promise<Release> {
  mkdirSync(dataDir, { recursive: true })
  const databaseUrl = `file:${join(dataDir, 'signpost.db')}`
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  await fillDatabase(db, { pages: PAGES, contentDir: join(PROJECT_DIR, 'content'), dataDir })
  const progress = createProgress('Making the site')
  const siteUrl = 'https://example.com'
  const options = { projectDir: PROJECT_DIR, dataDir, databaseUrl, siteUrl, progress, now: () => new Date() }
  const { release } = await publishSite(db, options)
  await db.destroy()
  return release
}

async function startServers(dataDir: string, { siteDir }: Release, targets: Target[]) {
  const [barePort, sitePort] = (await freePorts(2)) as [number, number]
  const file = join(siteDir, pageFile(PATH))
  const bare = ['scripts/bench/serve/bare-server.ts', file, String(barePort)]
  targets.push(await startServer('bare node:http', PATH, barePort, bare))
  const environment = { DATA_DIR: dataDir, PORT: String(sitePort), LOG_LEVEL: 'error' }
  const server = ['scripts/bench/submit/signpost-server.ts']
  targets.push(await startServer('Signpost', PATH, sitePort, server, environment))
  return targets as [Target, Target]
}

async function measureRates(bare: Target, site: Target): Promise<Measurement[]> {
  const etag = await etagOf(site)
  const rates = { bare: [] as number[], site: [] as number[], known: [] as number[] }
  for (const target of [bare, site]) await requestFor(target, WARM_UP_MS, 200)
  for (let round = 0; round < ROUNDS; round++) {
    rates.bare.push(await requestFor(bare, ROUND_MS, 200))
    rates.site.push(await requestFor(site, ROUND_MS, 200))
    rates.known.push(await requestFor(site, ROUND_MS, 304, { 'if-none-match': etag }))
  }
  const share = median(rates.site) / median(rates.bare)
  return [
    { name: 'bare node:http, the same bytes', value: median(rates.bare), unit: 'requests/s' },
    { name: 'Signpost, a local page', value: median(rates.site), unit: 'requests/s' },
    { name: 'Signpost beside the bare server', value: share, unit: 'of its rate', atLeast: LEAST_SHARE },
    { name: 'Signpost, If-None-Match: 304', value: median(rates.known), unit: 'requests/s' },
  ]
}

async function measureCrawl(site: Target, dataDir: string): Promise<Measurement[]> {
  const paths = readPages(dataDir)
    .map(({ path }) => path)
    .filter((path) => !/^\/(?:4|5)\d\d$/.test(path))
  // Once through all pages, so that the cache is full.
  await crawl(site, paths, paths.length)
  const before = residentBytes(site.process.pid)
  const startedAt = performance.now()
  await crawl(site, paths, CRAWLED)
  const seconds = (performance.now() - startedAt) / 1_000
  const growth = (residentBytes(site.process.pid) - before) / 1024 ** 2
  return [
    { name: 'a crawler', value: CRAWLED / seconds, unit: 'pages/s' },
    { name: 'memory before it', value: before / 1024 ** 2, unit: 'MiB' },
    { name: `growth while it read ${CRAWLED} pages`, value: growth, unit: 'MiB', atMost: MOST_GROWTH_MIB },
  ]
}

async function crawl({ port }: Target, paths: readonly string[], count: number) {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  let next = 0
  async function read() {
    while (next < count) {
      const path = paths[next++ % paths.length] ?? '/'
      const { statusCode, body } = await pool.request({ method: 'GET', path })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, read))
  await pool.destroy()
}

async function etagOf({ port, path }: Target): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  await response.arrayBuffer()
  return response.headers.get('etag') ?? ''
}

/** Responses per second over all connections. */
async function requestFor(
  { port, path }: Target,
  durationMs: number,
  expected: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  const endAt = performance.now() + durationMs
  let answers = 0
  async function requestInTurn() {
    while (performance.now() < endAt) {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
      await body.dump()
      if (statusCode !== expected) throw new Error(`Answered ${statusCode} instead of ${expected}`)
      answers++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, requestInTurn))
  await pool.destroy()
  return answers / (durationMs / 1_000)
}
