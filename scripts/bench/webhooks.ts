import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import { createProgress } from '../../src/lib/progress.ts'
import { median, percentile } from './measure.ts'
import { monotonicMs, type ReceiverProcess, startReceiverProcess } from './receiver-process.ts'
import type { Measurement } from './report.ts'
import { lastRequest, type SentRequest, wholeRate } from './webhook-rates.ts'
import { measureTarPits } from './webhook-tar-pits.ts'
import { openWebhookWorkload, type WebhookWorkload } from './webhook-workload.ts'

const ROUNDS = 5
/** Warm-up: the compiler needs some ten thousand deliveries to have seen the whole path. */
const WARM_UP_ROUNDS = 3
const DELIVERIES_PER_ROUND = 4_000
/** Defaults of the dispatcher: 32 at a time, 8 to one origin. */
const CONCURRENCY = 32
const IDLE_DELIVERIES = 200
const IDLE_PAUSE_MS = 15
const COMMITS = 50
const MS_PER_SECOND = 1_000

/**
 * Measures deliveries per second through the whole path next to a bare undici loop with the same concurrency and
 * requests, in turn; then the time from a submission's commit to its arrival on an idle machine, and a healthy
 * receiver beside tar pits.
 */
export async function benchWebhooks(): Promise<Measurement[]> {
  const receiver = await startReceiverProcess()
  const workload = await openWebhookWorkload()
  try {
    const rates = await measureRates(workload, receiver)
    const latency = await measureLatency(workload, receiver)
    const tarPits = await measureTarPits(workload, receiver)
    return [...rates, ...latency, ...tarPits, await measureCommit(workload)]
  } finally {
    await workload.close()
    receiver.stop()
  }
}

async function measureRates(workload: WebhookWorkload, { origins }: ReceiverProcess): Promise<Measurement[]> {
  const rates = { bare: [] as number[], whole: [] as number[] }
  const progress = createProgress('Delivering')
  await workload.haveWebhooks(origins.map((origin) => `${origin}/`))
  for (let round = 1; round <= WARM_UP_ROUNDS + ROUNDS; round++) {
    const whole = await wholeRate(workload, { webhooks: origins.length, deliveries: DELIVERIES_PER_ROUND })
    const bare = await bareRate(origins, await lastRequest(workload))
    if (round > WARM_UP_ROUNDS) rates.whole.push(whole)
    if (round > WARM_UP_ROUNDS) rates.bare.push(bare)
    progress.update(round, WARM_UP_ROUNDS + ROUNDS)
  }
  progress.finish()
  const [whole, bare] = [median(rates.whole), median(rates.bare)]
  return [
    { name: `whole path, ${CONCURRENCY} at a time`, value: whole, unit: 'deliveries/s' },
    { name: `bare undici loop, ${CONCURRENCY} at a time`, value: bare, unit: 'requests/s' },
    { name: 'whole path as a share of the bare loop', value: whole / bare, unit: '×', atLeast: 0.5 },
  ]
}

async function bareRate(origins: readonly string[], { headers, body }: SentRequest): Promise<number> {
  // As the dispatcher's: without its own timers.
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0 })
  let left = DELIVERIES_PER_ROUND
  const sendUntilNoneIsLeft = async (origin = '') => {
    while (left > 0) {
      left -= 1
      const response = await agent.request({ origin, path: '/', method: 'POST', headers, body })
      await response.body.text()
    }
  }
  const start = performance.now()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, n) => sendUntilNoneIsLeft(origins[n % origins.length])),
  )
  const elapsedMs = performance.now() - start
  await agent.close()
  return (DELIVERIES_PER_ROUND / elapsedMs) * MS_PER_SECOND
}

async function measureLatency(workload: WebhookWorkload, receiver: ReceiverProcess): Promise<Measurement[]> {
  await workload.haveWebhooks([`${receiver.origins[0]}/report`])
  const dispatcher = workload.createDispatcher({})
  dispatcher.start()
  const latenciesMs: number[] = []
  for (let n = 0; n < IDLE_DELIVERIES; n++) {
    const arrival = receiver.nextArrivals(1)
    let acceptedAt = 0
    await workload.submit(1, () => {
      acceptedAt = monotonicMs()
      dispatcher.wake()
    })
    const [arrivedAt = Number.NaN] = await arrival
    latenciesMs.push(arrivedAt - acceptedAt)
    await delay(IDLE_PAUSE_MS)
  }
  await dispatcher.stop()
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  return [
    { name: 'idle, commit to arrival, p50', value: percentile(sorted, 0.5), unit: 'ms', atMost: 100 },
    { name: 'idle, commit to arrival, p99', value: percentile(sorted, 0.99), unit: 'ms', atMost: 500 },
  ]
}

// Every turn of the dispatcher waits for a commit, whose time differs widely between disks.
async function measureCommit({ db }: WebhookWorkload): Promise<Measurement> {
  const durationsMs: number[] = []
  for (let n = 0; n < COMMITS; n++) {
    const start = performance.now()
    await db.updateTable('form_webhooks').set({ max_retries: n }).execute()
    durationsMs.push(performance.now() - start)
  }
  return { name: 'one small commit, synced to this disk', value: median(durationsMs), unit: 'ms' }
}
