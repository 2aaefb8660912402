import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { EXTENDED_SINCE, unpackProgram, withoutHistory } from '../support/earlier-program.ts'
import { startMailServer } from '../support/mail-server.ts'
import { needsPostgres, postgresDatabase } from '../support/postgres-database.ts'
import { startReceiver } from '../support/receiver.ts'
import { freePort, PROJECT_DIR, scriptEnvironment, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { type SubmissionServer, startSubmissionServer, VALID_ANSWERS } from '../support/submission-server.ts'

/** Posts that each server accepts before the next step. */
const POSTS_PER_STEP = soakLength(20, 1_500)
/** Rows that the migrations rewrite. */
const STORED_VERSIONS = soakLength(5_000, 200_000)
const VISITORS = 6
const PAUSE_MS = soakLength(100, 20)
const STEP_DEADLINE_MS = 300_000
const MOST_ATTEMPTS = 1_000
const SETTLED_WITHIN_MS = 60_000

const run = promisify(execFile)

const withoutBoth = withoutHistory || needsPostgres.skip

test('on PostgreSQL two versions accept every post while the newer one migrates, and the older one can restart', {
  skip: withoutBoth,
}, async (t) => {
  const { url } = await postgresDatabase(t)
  const site = await prepare(t, url)
  const [first, second] = [await site.start('earlier'), await site.start('earlier')]
  const visitors = visit(t, [first, second])
  await visitors.postTo([first, second])

  const third = await site.start('this')
  visitors.add(third)
  await visitors.postTo([first, second, third])
  await site.restart(first, 'earlier')
  await visitors.postTo([first, second, third])
  for (const server of [first, second]) {
    await site.restart(server, 'this')
    await visitors.postTo([first, second, third])
  }
  await visitors.end()
  await checkAll(t, site, visitors)
})

test('on SQLite a restart into a newer version under load, and back, loses no post', {
  skip: withoutHistory,
}, async (t) => {
  const site = await prepare(t)
  const server = await site.start('earlier')
  const visitors = visit(t, [server])
  await visitors.postTo([server])
  for (const version of ['this', 'earlier', 'this'] as const) {
    await site.restart(server, version)
    await visitors.postTo([server])
  }
  await visitors.end()
  await checkAll(t, site, visitors)
})

type Version = 'earlier' | 'this'

/** A server's place. */
interface Server {
  dataDir: string
  port: number
  running: SubmissionServer
  /** Number of posts that it accepted. */
  accepted: number
}

interface Site {
  db: Kysely<Schema>
  start(version: Version): Promise<Server>
  /** Kills it and starts a version in its place. */
  restart(server: Server, version: Version): Promise<void>
  /** The errors that all servers logged. */
  errors(): string[]
  /** Message IDs that the webhook's receiver got, and subjects of the emails. */
  received(): { webhooks: string[]; mails: string[] }
}

/** A database of the earlier version, with a webhook, a recipient, and rows for its migrations to change. */
async function prepare(t: TestContext, postgresUrl?: string): Promise<Site> {
  const folder = temporaryFolder(t)
  const dataDir = temporaryFolder(t)
  const DATABASE_URL = postgresUrl ?? `file:${join(dataDir, 'signpost.db')}`
  const programs = { earlier: join(folder, 'earlier'), this: PROJECT_DIR }
  unpackProgram(EXTENDED_SINCE, programs.earlier)
  const env = scriptEnvironment({ dataDir, environment: { DATABASE_URL } })
  await run(process.execPath, ['scripts/migrate.ts'], { cwd: programs.earlier, env })
  const [receiver, mails] = [await startReceiver(t, 200), await startMailServer(t)]
  const db = connectDatabase(DATABASE_URL, { maxConnections: 1 })
  atEnd(t, () => db.destroy())
  await fill(db, receiver.url)
  const environment = {
    ...{ DATABASE_URL, SECRET_KEY: randomBytes(32).toString('base64'), BACKUP_KEEP: '0', LOG_LEVEL: 'error' },
    ...{ SMTP_URL: mails.url, MAIL_FROM: 'forms@example.com' },
  }
  const all: SubmissionServer[] = []
  const launch = async (version: Version, { dataDir, port }: { dataDir: string; port: number }) => {
    const options = { programDir: programs[version], port, ...environment }
    const server = await startSubmissionServer(t, dataDir, options)
    all.push(server)
    return server
  }
  return {
    db,
    async start(version) {
      const place = { dataDir: postgresUrl ? temporaryFolder(t) : dataDir, port: await freePort() }
      return { ...place, running: await launch(version, place), accepted: 0 }
    },
    async restart(server, version) {
      const exited = once(server.running.process, 'exit')
      server.running.process.kill('SIGKILL')
      await exited
      server.running = await launch(version, server)
    },
    errors: () => all.flatMap(({ output }) => output().split('\n')).filter(isError),
    received: () => ({
      webhooks: receiver.requests.map(({ headers }) => String(headers['webhook-id'])),
      mails: mails.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1] ?? ''),
    }),
  }
}

// On a busy machine, an answer of the database may take longer than its deadline.
function isError(line: string): boolean {
  return line.startsWith('{') && !line.includes('ETIMEDOUT')
}

// As SQL: the queries of this version may need columns that are not there yet.
async function fill(db: Kysely<Schema>, receiverUrl: string) {
  await sql`insert into form_webhooks (form_id, name, url) values (1, 'CRM', ${receiverUrl})`.execute(db)
  const settings = { notifications: [{ to: ['office@example.com'], subject: '{{bottleneck}}' }] }
  await sql`update forms set settings_json = ${JSON.stringify(settings)} where id = 1`.execute(db)
  await sql`insert into content_versions
    (subject_kind, subject_id, state, source, saved_at, content_sha256, content)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(STORED_VERSIONS)})
    select 'entry', n % 1000, 'saved', 'unknown', '2026-11-20T10:00:00.000Z', cast(n as text), ${Buffer.from('{}')}
    from numbers`.execute(db)
}

interface Visitors {
  accepted: ReadonlySet<string>
  /** Number of answers by status. */
  answers: ReadonlyMap<number, number>
  /** From now on they post to this one too. */
  add(server: Server): void
  /** Resolves once each of these has accepted as many posts as a step takes. */
  postTo(servers: readonly Server[]): Promise<void>
  end(): Promise<void>
}

/** Posts to the servers in turn, each post until it is acknowledged. Other refusals than 503 fail. */
function visit(t: TestContext, servers: Server[]): Visitors {
  const accepted = new Set<string>()
  const answers = new Map<number, number>()
  const over = new AbortController()
  let isTestOver = false
  atEnd(t, () => {
    isTestOver = true
    over.abort()
  })
  let turn = 0
  async function postOnce(id: string): Promise<boolean> {
    const server = servers[turn++ % servers.length] as Server
    const response = await fetch(`${server.running.url}/api/forms/waitlist/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...VALID_ANSWERS, bottleneck: id, _id: id }),
    }).catch(() => undefined)
    if (!response) return false
    const body = await response.text().catch(() => '')
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    const isPatient = response.status === 503 && response.headers.has('retry-after')
    assert.ok(isPatient || [200, 201].includes(response.status), `${response.status}: ${body}`)
    if (!isPatient) server.accepted += 1
    return !isPatient
  }
  async function postUntilAccepted(id: string) {
    for (let attempt = 0; attempt < MOST_ATTEMPTS && !isTestOver; attempt += 1) {
      if (await postOnce(id)) return void accepted.add(id)
      await wait(100)
    }
    throw new Error(`${id} was not accepted in ${MOST_ATTEMPTS} attempts`)
  }
  const visitors = Promise.all(
    Array.from({ length: VISITORS }, async () => {
      while (!over.signal.aborted) {
        await postUntilAccepted(randomUUID())
        await wait(PAUSE_MS)
      }
    }),
  )
  // Whoever waits for posts is told.
  visitors.catch(() => {})
  return {
    accepted,
    answers,
    add: (server) => void servers.push(server),
    async postTo(wanted) {
      const before = wanted.map((server) => server.accepted)
      const isDone = () =>
        isTestOver ||
        wanted.every((server, index) => server.accepted >= (before[index] ?? 0) + POSTS_PER_STEP)
      // A refused post ends the wait.
      await Promise.race([visitors, waitFor(isDone, STEP_DEADLINE_MS)])
    },
    async end() {
      over.abort()
      await visitors
    },
  }
}

/** Checks that everything is migrated, and that each post is stored once and sent, without an error in a log. */
async function checkAll(t: TestContext, site: Site, { accepted, answers }: Visitors) {
  const { db } = site
  const { rows: done } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    db,
  )
  const newest = readdirSync(join(PROJECT_DIR, 'migrations')).sort().at(-1)
  assert.equal(`${done.at(-1)?.name}.ts`, newest)
  await waitFor(async () => (await countUnsent(db)) === 0, SETTLED_WITHIN_MS)
  const leads = await db.selectFrom('form_submissions').select('client_id').execute()
  const wanted = [...accepted].sort()
  assert.deepEqual(leads.map(({ client_id }) => client_id).sort(), wanted)
  const { webhooks, mails } = site.received()
  assert.equal(new Set(webhooks).size, wanted.length)
  assert.deepEqual([...new Set(mails)].sort(), wanted)
  assert.deepEqual(site.errors(), [])
  const counts = [...answers].map(([status, count]) => `${count} with ${status}`).join(', ')
  printFigure(
    t,
    `${wanted.length} posts (${counts}): 0 lost, 0 stored twice, all sent; twice: ${webhooks.length - wanted.length} webhooks, ${mails.length - wanted.length} emails`,
  )
}

async function countUnsent(db: Kysely<Schema>): Promise<number> {
  const [deliveries, mails] = await Promise.all([
    db.selectFrom('webhook_deliveries').select('id').where('status', '!=', 'delivered').execute(),
    db.selectFrom('notification_mails').select('id').where('status', '!=', 'sent').execute(),
  ])
  return deliveries.length + mails.length
}
