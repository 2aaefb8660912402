import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { printFigure } from '../../support/soak.ts'
import { aDispatcher, haveWebhooks, submit } from './webhook-world.ts'

const TAR_PITS = 5
const DELIVERIES = 200
const LONGEST_WAIT_MS = 1_000
/** A busy machine needs longer than that for the healthy receiver alone; then this is what counts. */
const MOST_SLOWDOWN = 3

/** When 99 of 100 of the healthy receiver's deliveries had arrived, in milliseconds after they could be sent. */
async function healthyP99(t: TestContext, tarPitUrls: readonly string[]): Promise<number> {
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
  return (arrivals[Math.ceil(DELIVERIES * 0.99) - 1] ?? Number.NaN) - start
}

test(`${TAR_PITS} tar pits with ${DELIVERIES} deliveries each do not hold up a healthy receiver`, async (t) => {
  const tarPits = await Promise.all(Array.from({ length: TAR_PITS }, () => startReceiver(t, () => {})))
  const alone = await healthyP99(t, [])
  const beside = await healthyP99(
    t,
    tarPits.map(({ url }) => url),
  )
  printFigure(t, `p99 alone ${Math.round(alone)} ms, beside the tar pits ${Math.round(beside)} ms`)
  assert.ok(beside <= Math.max(LONGEST_WAIT_MS, alone * MOST_SLOWDOWN), `${beside} ms, alone ${alone} ms`)
  for (const tarPit of tarPits) assert.ok(tarPit.requests.length > 0, 'each of them was tried meanwhile')
})
