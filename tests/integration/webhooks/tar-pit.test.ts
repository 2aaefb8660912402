import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { isSoak, printFigure, soakLength } from '../../support/soak.ts'
import { aDispatcher, haveWebhooks, submit } from './webhook-world.ts'

const TAR_PITS = 5
const DELIVERIES = 200
const LONGEST_WAIT_MS = 1_000
const LEAST_RATE = 0.9
const ROUNDS = soakLength(1, 9)
/** Short runs share the machine: the healthy receiver alone may need longer than that; then this is what counts. */
const MOST_SLOWDOWN = 3

/** When 99 of 100 of the healthy receiver's deliveries had arrived after they could be sent, and how many came a second. */
interface Measured {
  p99: number
  rate: number
}

async function measureHealthy(t: TestContext, tarPitUrls: readonly string[]): Promise<Measured> {
  const db = await openTestDatabase(t)
  const arrivals: number[] = []
  const healthy = await startReceiver(t, (response) => {
    arrivals.push(performance.now())
    response.writeHead(200).end()
  })
  const urls = [...tarPitUrls, healthy.url]
  await haveWebhooks(db, ...urls.map((url, index) => ({ name: `${index}`, url })))
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < DELIVERIES; n++) await submit(trx)
  })
  const { dispatcher } = aDispatcher(t, db, { timeoutMs: 15_000 })
  const start = performance.now()
  dispatcher.start()
  await healthy.waitForRequests(DELIVERIES)
  await dispatcher.stop({ withinMs: 0 })
  const msUntil = (share: number) => (arrivals[Math.ceil(DELIVERIES * share) - 1] ?? Number.NaN) - start
  return { p99: msUntil(0.99), rate: (DELIVERIES / msUntil(1)) * 1_000 }
}

test(`${TAR_PITS} tar pits with ${DELIVERIES} deliveries each do not hold up a healthy receiver`, async (t) => {
  const tarPits = await Promise.all(Array.from({ length: TAR_PITS }, () => startReceiver(t, () => {})))
  const tarPitUrls = tarPits.map(({ url }) => url)
  // The first one loads and compiles the code.
  if (isSoak) await measureHealthy(t, [])
  const alone: Measured[] = []
  const beside: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await measureHealthy(t, []))
    beside.push(await measureHealthy(t, tarPitUrls))
  }
  const [p99, p99Alone] = [median(beside, 'p99'), median(alone, 'p99')]
  const share = median(beside, 'rate') / median(alone, 'rate')
  const figure = `p99 ${Math.round(p99)} ms beside the tar pits, ${Math.round(p99Alone)} ms alone; ${Math.round(share * 100)} % of the rate alone`
  printFigure(t, figure)
  const longestMs = isSoak ? LONGEST_WAIT_MS : Math.max(LONGEST_WAIT_MS, p99Alone * MOST_SLOWDOWN)
  assert.ok(p99 <= longestMs, figure)
  if (isSoak) assert.ok(share >= LEAST_RATE, figure)
  for (const tarPit of tarPits) assert.ok(tarPit.requests.length > 0, 'each of them was tried meanwhile')
})

function median(measured: readonly Measured[], what: keyof Measured): number {
  const values = measured.map((one) => one[what]).sort((a, b) => a - b)
  return values[values.length >> 1] ?? Number.NaN
}
