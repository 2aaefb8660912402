import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectDatabase } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { atEnd } from '../../support/at-end.ts'
import { needsPostgres, postgresDatabase } from '../../support/postgres-database.ts'
import { type Answer, startReceiver } from '../../support/receiver.ts'
import { waitFor } from '../../support/running-site.ts'
import { printFigure } from '../../support/soak.ts'
import { aDispatcher, haveWebhooks, settledDeliveries, submit } from './webhook-world.ts'

const DISPATCHER = fileURLToPath(new URL('kill-dispatcher.ts', import.meta.url))
const SUBMISSIONS = 100

/** A process that dispatches, and says in a header of each request that it is `name`; resolves when it runs. */
async function startProcess(t: TestContext, url: string, name: string) {
  const env = { ...process.env, PROCESS_NAME: name }
  const child = spawn(process.execPath, [DISPATCHER, url], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  atEnd(t, () => child.kill('SIGKILL'))
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text) => errors.push(text))
  await once(child.stdout, 'data')
  return errors
}

/** Answers nobody before both processes have sent something: neither can do all the work. */
function holdUntilBothSent(): Answer {
  const names = new Set<unknown>()
  const held: ServerResponse[] = []
  return (response, { headers }) => {
    names.add(headers['x-process'])
    held.push(response)
    if (names.size < 2) return
    for (const one of held.splice(0)) setTimeout(() => one.writeHead(200).end(), 5)
  }
}

test(
  'contract §6: two processes on one PostgreSQL share the work and send nothing twice',
  needsPostgres,
  async (t) => {
    const { url } = await postgresDatabase(t)
    const db = connectDatabase(url)
    atEnd(t, () => db.destroy())
    await migrate(db)
    const receiver = await startReceiver(t, holdUntilBothSent())
    // A body can be stored once only, which would keep a second claim from its attempt: GET has none.
    const webhook = { method: 'GET', url: receiver.url, headers: { 'X-Process': '${PROCESS_NAME}' } }
    await haveWebhooks(db, { name: 'a', ...webhook }, { name: 'b', ...webhook })
    const errors = await Promise.all(['one', 'two'].map((name) => startProcess(t, url, name)))
    await db.transaction().execute(async (trx) => {
      for (let n = 0; n < SUBMISSIONS; n++) await submit(trx)
    })
    const deliveries = await settledDeliveries(db)
    assert.ok(deliveries.every(({ status, attempt_count }) => status === 'delivered' && attempt_count === 1))
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [2 * SUBMISSIONS, 2 * SUBMISSIONS])
    printFigure(t, `${ids.length} deliveries, ${ids.length - new Set(ids).size} sent twice`)
    assert.deepEqual(errors.flat(), [])
  },
)

test('contract §6: two servers together respect an origin’s limit', needsPostgres, async (t) => {
  const { url } = await postgresDatabase(t)
  const servers = [connectDatabase(url), connectDatabase(url)]
  for (const db of servers) atEnd(t, () => db.destroy())
  const [db] = servers
  assert.ok(db)
  await migrate(db)
  let [running, most] = [0, 0]
  const receiver = await startReceiver(t, (response) => {
    most = Math.max(most, ++running)
    setTimeout(() => {
      running -= 1
      response.writeHead(200).end()
    }, 20)
  })
  const names = ['a', 'b', 'c', 'd'] as const
  await haveWebhooks(db, ...names.map((name) => ({ name, method: 'GET', url: `${receiver.url}/${name}` })))
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < SUBMISSIONS; n++) await submit(trx)
  })
  const dispatchers = servers.map((one) => aDispatcher(t, one).dispatcher)
  for (const dispatcher of dispatchers) dispatcher.start()
  const deliveries = await settledDeliveries(db)
  assert.ok(deliveries.every(({ status }) => status === 'delivered'))
  printFigure(t, `at most ${most} at once by two servers`)
  assert.ok(most > 4 && most <= 8, `${most} at once`)
  // The first one may have started, and sent, before the second was there.
  await waitFor(async () => {
    const rows = await db.selectFrom('dispatchers').select('counted').execute()
    return rows.length === 2 && rows.every(({ counted }) => counted === 2)
  })
})
