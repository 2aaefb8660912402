import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { openUpload } from '#src/submissions/uploads/open-upload.ts'
import { assertWithin } from '../support/assert-within.ts'
import { atEnd } from '../support/at-end.ts'
import { startSiteOn } from '../support/bare-site.ts'
import { temporaryFolder } from '../support/database.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { storeWebhook } from '../support/desk.ts'
import { storeForm } from '../support/forms.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startNginx, withoutNginx } from '../support/nginx.ts'
import { needsPostgresServer, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { freePort, waitFor } from '../support/running-site.ts'
import { startS3 } from '../support/s3-server.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { type SubmissionServer, startSubmissionServer } from '../support/submission-server.ts'

const SERVERS = 3
const POSTS = soakLength(60, 10_000)
const AT_ONCE = 8
const PAUSE_MS = soakLength(20, 60)
const KILL_EVERY_MS = soakLength(3_000, 5_000)
const SILENT_MS = soakLength(1_000, 30_000)
const NOT_STUCK_MS = 10_000
/** Share of webhooks and emails. Each fault may repeat those that are on their way, and a short run has few others. */
const MOST_TWICE = soakLength(0.5, 0.01)
/** One of so many leads has an email address, so that the replies of the whole run stay below the limit of an hour. */
const ONE_REPLY_OF = soakLength(1, 150)
const ONE_SPAM_OF = 8
const OFFICE = 'office@example.com'
// More than fit into the longest silence.
const MOST_ATTEMPTS = 600
/** A test that takes longer has hung: a server's start takes seconds, and one is killed every few seconds. */
const DEADLINE_MS = soakLength(600_000, 3_600_000)

const withoutBoth = withoutNginx || needsPostgresServer.skip

test('three servers behind a proxy lose nothing while servers are killed and the database fails', {
  skip: withoutBoth,
  timeout: DEADLINE_MS,
}, async (t) => {
  const primary = await startPostgresServer(t)
  const standby = await primary.addStandby()
  const proxy = await startDatabaseProxy(t, primary.url)
  const [receiver, mails, s3] = await Promise.all([startReceiver(t, 200), startMailServer(t), startS3(t)])
  const url = `http://127.0.0.1:${await freePort()}`
  const environment = {
    SITE_URL: url,
    ...s3.environment,
    ...{ DATABASE_URL: proxy.url, SECRET_KEY: randomBytes(32).toString('base64') },
    ...{ SMTP_URL: mails.url, MAIL_FROM: 'forms@example.com' },
  }
  await prepare({ databaseUrl: primary.url, receiver: receiver.url })
  const servers = await startServers(t, environment)
  await startProxy(t, url, servers)

  const acknowledged = new Map<string, string>()
  const spam = new Set<string>()
  let begun = 0
  const over = new AbortController()
  atEnd(t, () => over.abort())
  const visitors = Array.from({ length: AT_ONCE }, async () => {
    while (!over.signal.aborted) {
      const [id, file] = [randomUUID(), randomBytes(40).toString('hex')]
      begun += 1
      const isSpam = begun % ONE_SPAM_OF === 0
      if (isSpam) spam.add(id)
      const email = begun % ONE_REPLY_OF === 0 ? `${id}@example.com` : ''
      await postUntilAcknowledged(url, { id, file, email, isSpam })
      acknowledged.set(id, file)
      await wait(PAUSE_MS)
    }
  })
  const kills = killNowAndThen(servers, over.signal)
  await failDatabase({ primary, standby, proxy }, () => acknowledged.size / POSTS)
  await waitFor(() => acknowledged.size >= POSTS, DEADLINE_MS)
  over.abort()
  const [killed] = await Promise.all([kills, ...visitors])
  const lastFaultAt = performance.now()

  const { app } = await startSiteOn(t, standby.url, { ...environment, DATABASE_URL: standby.url })
  await waitFor(async () => (await countUnsettled(app.db)) === 0, 60_000)
  const settledMs = performance.now() - lastFaultAt
  assertWithin(settledMs, NOT_STUCK_MS, 'Settling')
  const leads = await app.db
    .selectFrom('form_submissions')
    .leftJoin('uploads', 'uploads.submission_id', 'form_submissions.id')
    .select(['form_submissions.client_id', 'uploads.id as upload_id'])
    .execute()
  assert.deepEqual(leads.map(({ client_id }) => client_id).sort(), [...acknowledged.keys()].sort())
  for (const { client_id, upload_id } of leads) {
    const opened = await openUpload(app.db, Number(upload_id), { files: app.files, scope: EVERY_LEAD })
    assert.equal(opened && (await text(opened.stream)), acknowledged.get(client_id ?? ''))
  }
  const webhooks = countById(receiver.requests.map(({ headers }) => String(headers['webhook-id'])))
  const notices = mails.received.filter(({ recipients }) => recipients.includes(OFFICE))
  const subjects = countById(notices.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1] ?? ''))
  const wanted = leads.length - spam.size
  assert.deepEqual([webhooks.different, subjects.different], [wanted, wanted])
  const repliedTo = mails.received.flatMap(({ recipients }) => recipients).filter((one) => one !== OFFICE)
  const replies = countById(repliedTo)
  assert.ok(replies.different > 0)
  assert.equal(replies.twice, 0)
  assert.deepEqual(
    repliedTo.filter((address) => spam.has(address.split('@')[0] ?? '')),
    [],
  )
  for (const { twice } of [webhooks, subjects]) assert.ok(twice <= leads.length * MOST_TWICE)
  printFigure(
    t,
    `${leads.length} posts with files, ${killed} kills, a restart, ${SILENT_MS / 1_000} s of silence, a failover: 0 lost, 0 stored twice, each file readable; sent twice: ${webhooks.twice} webhooks, ${subjects.twice} emails, 0 of ${replies.different} replies; 0 replies to ${spam.size} of spam; all settled ${Math.round(settledMs)} ms after the last fault`,
  )
})

async function prepare({ databaseUrl, receiver }: { databaseUrl: string; receiver: string }) {
  const db = connectDatabase(databaseUrl)
  await migrate(db)
  const form = await storeForm(db, 'job', {
    fields: [
      { name: 'full_name', label: 'Name' },
      { name: 'email', label: 'Email', type: 'email' },
      { name: 'photo', label: 'Photo', type: 'file' },
    ],
    settings: {
      notifications: [{ to: [OFFICE], subject: '{{full_name}}' }],
      reply: { subject: 'Thank you', text: 'We call you back.' },
    },
  })
  await storeWebhook(db, form.id, { url: receiver })
  await db.destroy()
}

interface Started {
  port: number
  server: SubmissionServer
}

/** Starts the servers; each starts again as soon as it ends, like under systemd. */
async function startServers(t: TestContext, environment: Record<string, string>): Promise<Started[]> {
  const servers: Started[] = []
  const running: Promise<void>[] = []
  const ending = new AbortController()
  for (let index = 0; index < SERVERS; index += 1) {
    const [port, dataDir] = [await freePort(), temporaryFolder(t)]
    const start = () => startSubmissionServer(t, dataDir, { port, ...environment })
    const started = { port, server: await start() }
    servers.push(started)
    running.push(keepRunning(started, start, ending.signal))
  }
  atEnd(t, async () => {
    ending.abort()
    for (const { server } of servers) server.process.kill('SIGKILL')
    await Promise.all(running)
  })
  return servers
}

async function keepRunning(started: Started, start: () => Promise<SubmissionServer>, ending: AbortSignal) {
  while (!ending.aborted) {
    const { exitCode, signalCode } = started.server.process
    if (exitCode === null && signalCode === null) await once(started.server.process, 'exit')
    // A start fails while the database does.
    if (!ending.aborted) started.server = (await start().catch(() => undefined)) ?? started.server
  }
}

async function startProxy(t: TestContext, url: string, servers: readonly Started[]): Promise<void> {
  const upstream = servers.map((one) => `server 127.0.0.1:${one.port} fail_timeout=1s;`).join(' ')
  const location = `location / { proxy_pass http://servers; proxy_connect_timeout 2s; proxy_set_header Host $http_host; }`
  await startNginx(t, {
    http: `upstream servers { ${upstream} } server { listen ${new URL(url).host}; ${location} }`,
    url,
  })
}

/** Posts like a visitor who tries again until the server says thank you. */
async function postUntilAcknowledged(
  url: string,
  { id, file, email, isSpam }: { id: string; file: string; email: string; isSpam: boolean },
): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const body = new FormData()
    body.set('_id', id)
    body.set('full_name', id)
    if (email) body.set('email', email)
    // Filled in no time, like a robot does.
    if (isSpam) body.set('_open_ms', '0')
    body.set('photo', new File([file], 'photo.txt', { type: 'text/plain' }))
    const response = await fetch(`${url}/api/forms/job/submissions`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
    }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => {})
    if (response?.status === 201 || response?.status === 200) return
    assert.ok(response === undefined || response.status >= 500, `answered ${response?.status}`)
    await wait(100)
  }
  throw new Error(`${id} was not accepted in ${MOST_ATTEMPTS} attempts`)
}

async function killNowAndThen(servers: readonly Started[], over: AbortSignal): Promise<number> {
  let kills = 0
  for (;;) {
    await wait(KILL_EVERY_MS)
    if (over.aborted) return kills
    servers[kills % servers.length]?.server.process.kill('SIGKILL')
    kills += 1
  }
}

interface Databases {
  primary: PostgresServer
  standby: PostgresServer
  proxy: DatabaseProxy
}

async function failDatabase({ primary, standby, proxy }: Databases, progress: () => number): Promise<void> {
  await waitFor(() => progress() > 0.2, DEADLINE_MS)
  await primary.crash()
  await waitFor(() => progress() > 0.5, DEADLINE_MS)
  proxy.silence()
  await wait(SILENT_MS)
  proxy.heal()
  await waitFor(() => progress() > 0.8, DEADLINE_MS)
  await primary.stop()
  await standby.promote()
  proxy.pointTo(standby.url)
}

async function countUnsettled(db: Kysely<Schema>): Promise<number> {
  const open = ['pending', 'sending'] as const
  const [deliveries, mails, replies] = await Promise.all([
    db.selectFrom('webhook_deliveries').select('id').where('status', '!=', 'delivered').execute(),
    db.selectFrom('notification_mails').select('id').where('status', '!=', 'sent').execute(),
    db.selectFrom('reply_mails').select('id').where('status', 'in', open).execute(),
  ])
  return deliveries.length + mails.length + replies.length
}

function countById(ids: readonly string[]) {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return { different: counts.size, twice: [...counts.values()].filter((count) => count > 1).length }
}
