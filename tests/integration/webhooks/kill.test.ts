import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { printFigure } from '../../support/soak.ts'
import { haveWebhooks, submit } from './webhook-world.ts'

const DISPATCHER = fileURLToPath(new URL('kill-dispatcher.ts', import.meta.url))
const [KILLS, DELIVERIES] = process.env.SOAK === '1' ? [50, 2_000] : [5, 300]
/** Fewer than a killed dispatcher's share of the deliveries, so that there is something left for the last. */
const MOST_ARRIVALS = 30
const MOST_DELAY_MS = 3

async function openQueue(t: TestContext) {
  const file = join(temporaryFolder(t), 'signpost.db')
  const db = connectSqlite(file)
  atEnd(t, () => db.destroy())
  await migrate(db)
  return { file, db }
}

function startDispatcher(t: TestContext, file: string): ChildProcess {
  const child = spawn(process.execPath, [DISPATCHER, `file:${file}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  return child
}

/** Kills at a random moment of the sending; returns how many deliveries were in flight then. */
async function killAmidSending(child: ChildProcess, receiver: Receiver, db: Kysely<Schema>): Promise<number> {
  const arrivals = 1 + Math.floor(Math.random() * MOST_ARRIVALS)
  await receiver.waitForRequests(receiver.requests.length + arrivals)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MOST_DELAY_MS))
  assert.equal(child.exitCode, null)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return (await countByStatus(db)).get('delivering') ?? 0
}

async function countByStatus(db: Kysely<Schema>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('webhook_deliveries').select(['status']).execute()
  return new Map(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  )
}

async function untilAllDelivered(db: Kysely<Schema>) {
  while ((await countByStatus(db)).get('delivered') !== DELIVERIES) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test(`every delivery arrives through ${KILLS} kills of the dispatcher, twice only if in flight`, {
  timeout: 300_000,
}, async (t) => {
  const { file, db } = await openQueue(t)
  const receiver = await startReceiver(t, (response) => {
    setTimeout(() => response.writeHead(200).end(), Math.random() * 5)
  })
  await haveWebhooks(db, { url: receiver.url, signing_secret: 'a secret' })
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < DELIVERIES; n++) await submit(trx)
  })

  let inFlight = 0
  for (let kill = 0; kill < KILLS; kill++) {
    inFlight += await killAmidSending(startDispatcher(t, file), receiver, db)
  }
  assert.ok((await countByStatus(db)).get('delivered') !== DELIVERIES, 'the last kill came amid the sending')
  const last = startDispatcher(t, file)
  await untilAllDelivered(db)
  last.kill('SIGKILL')

  const arrived = receiver.requests.map(({ headers }) => headers['webhook-id'])
  const sent = await db.selectFrom('webhook_deliveries').select('message_id').execute()
  assert.deepEqual(new Set(arrived), new Set(sent.map(({ message_id }) => message_id)))
  const repeats = arrived.length - DELIVERIES
  printFigure(
    t,
    `${KILLS} kills, ${DELIVERIES} deliveries: ${repeats} repeats, ${inFlight} in flight at the kills`,
  )
  assert.ok(repeats <= inFlight, `${repeats} repeats, but ${inFlight} were in flight`)
  const attempts = await db.selectFrom('delivery_attempts').select('delivery_id').execute()
  assert.equal(new Set(attempts.map(({ delivery_id }) => delivery_id)).size, DELIVERIES)
})
