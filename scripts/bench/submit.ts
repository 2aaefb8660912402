import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { Pool } from 'undici'
import { connectDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createProgress } from '../../src/lib/progress.ts'
import { freePorts, median, percentile } from './measure.ts'
import { startServer, type Target } from './start-server.ts'

const CONNECTIONS = 32
const ROUNDS = 5
const ROUND_MS = 3_000
const WARM_UP_MS = 1_500
const STORED_ROWS = 1_000_000

const PROJECT_DIR = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
// Inside the project, because imports are resolved from there.
const EMPTY_ENDPOINT_DIR = join(PROJECT_DIR, 'dist/bench')
const BUILT_SITE_DIR = join(PROJECT_DIR, 'dist/bench-site')
const SUBMISSIONS = '/api/forms/waitlist/submissions'
/** Answers of the form `waitlist`. */
export const ANSWERS = {
  full_name: 'Ann Example',
  email: 'ann@example.com',
  phone: '+1 512 555 0100',
  role: 'owner',
  bottleneck: 'Leads arrive in three inboxes and nobody knows who answers.',
}
const BODY = JSON.stringify(ANSWERS)

export interface SubmitFigures {
  server: string
  /** Accepted posts per second: the median of the rounds. */
  rate: number
  p50Ms: number
  p99Ms: number
}

/**
 * Measures accepted posts per second and their latency through the real server with full durability, with an empty
 * table and with a million rows, and through the Astro endpoint of a plain `astro build`, in turn with two ceilings.
 * The load comes from this process over 32 connections.
 */
export async function benchSubmit(): Promise<SubmitFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
  const targets: Target[] = []
  try {
    await startTargets(folder, targets)
    return await measureInTurns(targets)
  } finally {
    for (const { process: server } of targets) server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startTargets(folder: string, targets: Target[]) {
  const ports = await freePorts(5)
  const port = (index: number) => ports[index] as number
  const bare = ['scripts/bench/submit/bare-server.ts', join(folder, 'bare.db'), String(port(0))]
  targets.push(await startServer('bare node:http + better-sqlite3', '/', port(0), bare))
  const entry = await buildEmptyEndpoint()
  const astro = ['scripts/bench/submit/astro-server.ts', entry, String(port(1))]
  targets.push(await startServer('empty Astro endpoint', '/submissions', port(1), astro))
  targets.push(await startSignpost('Signpost, empty table', join(folder, 'empty'), port(2), 0))
  targets.push(await startSignpost('Signpost, 1,000,000 rows', join(folder, 'full'), port(3), STORED_ROWS))
  targets.push(await startBuiltSite("Signpost, by Astro's endpoint", join(folder, 'built'), port(4)))
}

async function startSignpost(server: string, dataDir: string, port: number, rows: number): Promise<Target> {
  await prepareDatabase(dataDir, rows)
  return startPrepared(server, dataDir, port)
}

/** Starts it on a database that was prepared. */
export function startPrepared(
  server: string,
  dataDir: string,
  port: number,
  databaseUrl = urlIn(dataDir),
): Promise<Target> {
  const command = ['scripts/bench/submit/signpost-server.ts']
  const environment = { ...signpostEnvironment(dataDir, port), DATABASE_URL: databaseUrl }
  return startServer(server, SUBMISSIONS, port, command, environment)
}

function urlIn(dataDir: string): string {
  return `file:${join(dataDir, 'signpost.db')}`
}

// The server made by a plain `astro build`.
async function startBuiltSite(server: string, dataDir: string, port: number): Promise<Target> {
  await prepareDatabase(dataDir, 0)
  const environment = signpostEnvironment(dataDir, port)
  await buildWithAstro(['--outDir', BUILT_SITE_DIR], environment)
  const command = ['scripts/bench/submit/built-server.ts', join(BUILT_SITE_DIR, 'server/entry.mjs')]
  return startServer(server, SUBMISSIONS, port, command, environment)
}

function signpostEnvironment(dataDir: string, port: number) {
  return {
    DATA_DIR: dataDir,
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'error',
    // Each post comes from another address, so the limits are enabled and never reached.
    TRUSTED_PROXIES: '1',
  }
}

// The whole path: a webhook that fires for each submission. Its URL refuses connections and is retried later, so the
// acceptance is measured, not a receiver.
export async function prepareDatabase(dataDir: string, rows: number, databaseUrl = urlIn(dataDir)) {
  mkdirSync(dataDir, { recursive: true })
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  await db
    .insertInto('form_webhooks')
    .values({ form_id: 1, name: 'CRM', url: 'https://127.0.0.1:9/' })
    .execute()
  await db.destroy()
  if (rows > 0) fillSubmissions(join(dataDir, 'signpost.db'), rows)
}

function fillSubmissions(path: string, rows: number) {
  const database = new SqliteDatabase(path)
  database.pragma('synchronous = OFF')
  const insert = database.prepare(
    "insert into form_submissions (form_id, data_json, client_id, submitted_at) values (1, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?))",
  )
  const progress = createProgress('Filling the table')
  const fill = database.transaction((from: number, to: number) => {
    for (let row = from; row < to; row++) insert.run(BODY, `old-${row}`, `-${rows - row} seconds`)
  })
  const step = 50_000
  for (let row = 0; row < rows; row += step) {
    fill(row, Math.min(row + step, rows))
    progress.update(row + step, rows)
  }
  progress.finish()
  // Filled at once, a million leads would be added up while posts are measured.
  database.exec('delete from lead_changes')
  database.close()
}

async function buildEmptyEndpoint(): Promise<string> {
  const root = ['--root', 'scripts/bench/submit/astro-endpoint']
  await buildWithAstro(root, { BUNDLE_DIR: EMPTY_ENDPOINT_DIR })
  return join(EMPTY_ENDPOINT_DIR, 'server/entry.mjs')
}

async function buildWithAstro(parameters: string[], environment: object) {
  const astro = join(PROJECT_DIR, 'node_modules/astro/bin/astro.mjs')
  const env = { ...process.env, ...environment, ASTRO_TELEMETRY_DISABLED: '1' }
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  const child = spawn(process.execPath, [astro, 'build', ...parameters], {
    cwd: PROJECT_DIR,
    env,
    stdio: [...stdio],
  })
  await new Promise<void>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error('astro build failed'))))
  })
}

function randomAddress(): string {
  const [first, second, third] = randomBytes(3)
  return `10.${first}.${second}.${third}`
}

/** Posts to each target in turn, in rounds of three seconds. The others are suspended: they would retry webhooks. */
export async function measureInTurns(
  targets: readonly Target[],
  { rounds = ROUNDS } = {},
): Promise<SubmitFigures[]> {
  const rates = new Map(targets.map(({ server }) => [server, [] as number[]]))
  const latencies = new Map(targets.map(({ server }) => [server, [] as number[]]))
  const progress = createProgress('Posting')
  for (const target of targets) await postAlone(target, WARM_UP_MS)
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const times = await postAlone(target, ROUND_MS)
      rates.get(target.server)?.push(times.length / (ROUND_MS / 1_000))
      latencies.get(target.server)?.push(...times)
    }
    progress.update(round + 1, rounds)
  }
  progress.finish()
  return targets.map(({ server }) => {
    const times = (latencies.get(server) ?? []).sort((a, b) => a - b)
    return {
      server,
      rate: Math.round(median(rates.get(server) ?? [])),
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    }
  })
}

async function postAlone(target: Target, durationMs: number): Promise<number[]> {
  target.process.kill('SIGCONT')
  try {
    return await postFor(target, durationMs)
  } finally {
    target.process.kill('SIGSTOP')
  }
}

/** Posts over all connections for this long; returns the latency of each accepted post, in milliseconds. */
async function postFor({ port, path, body: posted = BODY }: Target, durationMs: number): Promise<number[]> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 })
  const endAt = performance.now() + durationMs
  const times: number[] = []
  async function postInTurn() {
    while (performance.now() < endAt) {
      const startedAt = performance.now()
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() }
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: posted })
      await body.dump()
      if (statusCode !== 201) throw new Error(`Answered ${statusCode} instead of 201`)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, postInTurn))
  await pool.destroy()
  return times
}
