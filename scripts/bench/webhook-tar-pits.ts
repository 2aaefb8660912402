import { sql } from 'kysely'
import { createProgress } from '../../src/lib/progress.ts'
import { median, percentile } from './measure.ts'
import { monotonicMs, type ReceiverProcess } from './receiver-process.ts'
import type { Measurement } from './report.ts'
import type { WebhookWorkload } from './webhook-workload.ts'

const DELIVERIES = 200
const ROUNDS = 15
const MS_PER_SECOND = 1_000

/**
 * Measures a healthy receiver with 200 due deliveries, alone and beside tar pits with 200 each, in turn: its rate,
 * and how long its deliveries wait.
 */
export async function measureTarPits(
  workload: WebhookWorkload,
  { origins, tarPits, nextArrivals }: ReceiverProcess,
): Promise<Measurement[]> {
  const healthy = `${origins[0]}/report`
  const waits = { alone: [] as number[][], beside: [] as number[][] }
  const progress = createProgress('Beside tar pits')
  for (let round = 1; round <= ROUNDS; round++) {
    waits.alone.push(await waitsOf(workload, [healthy], nextArrivals))
    waits.beside.push(await waitsOf(workload, [...tarPits, healthy], nextArrivals))
    progress.update(round, ROUNDS)
  }
  progress.finish()
  const [alone, beside] = [medianRate(waits.alone), medianRate(waits.beside)]
  const p99 = median(waits.beside.map((sorted) => percentile(sorted, 0.99)))
  const name = `beside ${tarPits.length} tar pits`
  return [
    { name: `one receiver with ${DELIVERIES} deliveries, alone`, value: alone, unit: 'deliveries/s' },
    { name: `the same ${name}`, value: beside, unit: 'deliveries/s' },
    { name: `the same ${name}, as a share`, value: beside / alone, unit: '×', atLeast: 0.9 },
    { name: `the same ${name}, wait, p99`, value: p99, unit: 'ms', atMost: 1_000 },
  ]
}

/** Waiting times of the deliveries to the last URL, ascending. */
async function waitsOf(
  workload: WebhookWorkload,
  urls: readonly string[],
  nextArrivals: ReceiverProcess['nextArrivals'],
): Promise<number[]> {
  await workload.haveWebhooks(urls)
  await workload.submit(DELIVERIES)
  // Earlier writes are not part of the measurement.
  await sql`pragma wal_checkpoint(truncate)`.execute(workload.db)
  const arrivals = nextArrivals(DELIVERIES)
  const dispatcher = workload.createDispatcher({})
  const start = monotonicMs()
  dispatcher.start()
  const moments = await arrivals
  await dispatcher.stop({ withinMs: 0 })
  await workload.db.deleteFrom('webhook_deliveries').execute()
  return moments.map((moment) => moment - start).sort((a, b) => a - b)
}

function medianRate(rounds: readonly number[][]): number {
  return median(rounds.map((sorted) => (sorted.length / (sorted.at(-1) ?? Number.NaN)) * MS_PER_SECOND))
}
