import type { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { Agent } from 'undici'
import { connectDatabase } from '../../src/db/connect.ts'
import { createProgress } from '../../src/lib/progress.ts'
import { median } from './measure.ts'
import { withNewDatabases } from './new-databases.ts'
import { startReceiverProcess } from './receiver-process.ts'
import type { Measurement } from './report.ts'
import { lastRequest, type SentRequest, wholeRate } from './webhook-rates.ts'
import { openWebhookWorkload } from './webhook-workload.ts'

// Not a dependency: only this bench needs it.
const PEER = 'graphile-worker'
const INSTALL = 'npm install --no-save graphile-worker@0.18.0'
const ROUNDS = 5
const WARM_UP_ROUNDS = 2
const JOBS = 4_000
const CONCURRENCY = 32
const MS_PER_SECOND = 1_000

/** The parts of graphile-worker that are used. */
interface Peer {
  Logger: new (silent: () => () => void) => object
  makeWorkerUtils(options: object): Promise<{ migrate(): Promise<void>; release(): Promise<void> }>
  run(options: {
    preset: { worker: object }
    taskList: Record<string, (payload: { origin: string }) => Promise<void>>
    events?: EventEmitter
    noHandleSignals?: boolean
  }): Promise<{ events: EventEmitter; stop(): Promise<void> }>
}

/** As it comes, and with what its documentation advises for many small jobs; and the share of each to reach. */
const PEERS = [
  { name: 'graphile-worker as it comes', settings: {}, atLeast: 1.5 },
  {
    name: 'graphile-worker, local queue of 200, batched completion',
    settings: { localQueue: { size: 200 }, completeJobBatchDelay: 0 },
    atLeast: 0.5,
  },
]

/**
 * Measures deliveries per second on PostgreSQL in turns with graphile-worker, whose jobs send the same requests. Each has
 * a new database on the server of `DATABASE_URL`, which is dropped at the end.
 */
export async function benchWebhookPeer(): Promise<Measurement[]> {
  const { DATABASE_URL: server = '' } = process.env
  if (!server.startsWith('postgres')) throw new Error('Set DATABASE_URL to a PostgreSQL server')
  const peer: Peer = await import(PEER).catch(() => {
    throw new Error(`${PEER} is missing. Run ${INSTALL}`)
  })
  const receiver = await startReceiverProcess()
  try {
    return await withNewDatabases(server, ['own', 'peers'], (own = '', peers = '') =>
      measure(receiver.origins, { own, peer, peers }),
    )
  } finally {
    receiver.stop()
  }
}

interface Contest {
  own: string
  peer: Peer
  peers: string
}

async function measure(origins: readonly string[], { own, peer, peers }: Contest): Promise<Measurement[]> {
  const workload = await openWebhookWorkload(own)
  const rates = new Map<string, number[]>()
  const note = (name: string, rate: number) => rates.set(name, [...(rates.get(name) ?? []), rate])
  const progress = createProgress('Delivering')
  try {
    await workload.haveWebhooks(origins.map((origin) => `${origin}/`))
    for (let round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
      if (round === WARM_UP_ROUNDS + 1) rates.clear()
      note('Signpost', await wholeRate(workload, { webhooks: origins.length, deliveries: JOBS }))
      const request = await lastRequest(workload)
      for (const { name, settings } of PEERS)
        note(name, await peerRate(peer, { origins, request, settings, databaseUrl: peers }))
      progress.update(round, WARM_UP_ROUNDS + ROUNDS)
    }
    progress.finish()
  } finally {
    await workload.close()
  }
  return report(rates)
}

function report(rates: ReadonlyMap<string, number[]>): Measurement[] {
  const rateOf = (name: string) => median(rates.get(name) ?? [])
  return [
    { name: 'Signpost on PostgreSQL', value: rateOf('Signpost'), unit: 'deliveries/s' },
    ...PEERS.flatMap(({ name, atLeast }) => [
      { name, value: rateOf(name), unit: 'jobs/s' },
      { name: `Signpost as a share of it`, value: rateOf('Signpost') / rateOf(name), unit: '×', atLeast },
    ]),
  ]
}

interface Work {
  origins: readonly string[]
  request: SentRequest
  settings: object
  databaseUrl: string
}

async function peerRate(peer: Peer, { origins, request, settings, databaseUrl }: Work): Promise<number> {
  const logger = new peer.Logger(() => () => {})
  const shared = { connectionString: databaseUrl, maxPoolSize: 10, logger }
  await addJobs(peer, { origins, databaseUrl, logger })
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  let done = 0
  const start = performance.now()
  const runner = await peer.run({
    preset: { worker: { ...shared, concurrentJobs: CONCURRENCY, ...settings } },
    noHandleSignals: true,
    taskList: {
      async send({ origin }) {
        const response = await agent.request({ origin, path: '/', method: 'POST', ...request })
        await response.body.text()
      },
    },
  })
  runner.events.on('job:complete', () => {
    done += 1
    if (done === JOBS) resolve()
  })
  await finished
  const elapsedMs = performance.now() - start
  await runner.stop()
  await agent.close()
  return (JOBS / elapsedMs) * MS_PER_SECOND
}

async function addJobs(
  { makeWorkerUtils }: Peer,
  { origins, databaseUrl, logger }: { origins: readonly string[]; databaseUrl: string; logger: object },
) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger })
  await utils.migrate()
  await utils.release()
  const db = connectDatabase(databaseUrl)
  await sql`select graphile_worker.add_job('send', json_build_object('origin',
    (${JSON.stringify(origins)}::json) ->> (n % ${origins.length})::int)) from generate_series(1, ${JOBS}::int) n`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  await db.destroy()
}
