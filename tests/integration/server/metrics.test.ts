import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { createMetricsServer } from '#src/server/background/metrics-server.ts'
import { storeWebhook } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { startReceiver } from '../../support/receiver.ts'
import { freePort, waitFor } from '../../support/running-site.ts'

test('metrics for submissions, attempts, queue, publishes, and the loop are served on a separate loopback port', async (t) => {
  const receiver = await startReceiver(t, 200, 500)
  const { app, url } = await startFront(t, {
    environment: { METRICS_PORT: String(await freePort()), WEBHOOK_RETRY_SCHEDULE: '1h' },
    async prepare({ db }) {
      const form = await storeForm(db, 'lead', { fields: [{ name: 'name', label: 'Name', required: true }] })
      await storeWebhook(db, form.id, { url: receiver.url })
    },
  })
  assert.ok(app.metrics)
  const server = createMetricsServer(app.metrics).listen(0, '127.0.0.1')
  t.after(() => server.close())
  const post = (slug: string, body: object) =>
    fetch(`${url}/api/forms/${slug}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('lead', { name: 'Ann' })
  await receiver.waitForRequests(1)
  await post('lead', { name: 'Ben' })
  await post('lead', {})
  await post('nothing', {})
  await receiver.waitForRequests(2)

  const { port } = server.address() as { port: number }
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  // An attempt is counted before the database says what became of it.
  const outcomes = ['signpost_delivery_attempt_seconds_count 2', 'signpost_queue_waiting 1']
  const isSettled = (text: string) => outcomes.every((line) => text.split('\n').includes(line))
  await waitFor(async () => isSettled(await read()))
  const text = await read()
  for (const line of [
    'signpost_submissions_total{form="lead",outcome="accepted"} 2',
    'signpost_submissions_total{form="lead",outcome="invalid"} 1',
    'signpost_submissions_total{form="unknown",outcome="not_found"} 1',
    'signpost_delivery_attempts_total{outcome="delivered"} 1',
    'signpost_delivery_attempts_total{outcome="status"} 1',
    'signpost_delivery_attempt_seconds_count 2',
    'signpost_queue_waiting 1',
    'signpost_queue_overdue_seconds 0',
  ])
    assert.ok(text.split('\n').includes(line), `${line} is missing in\n${text}`)
  // startFront publishes the site once.
  assert.match(text, /^signpost_publish_seconds\{status="published"\} 0?\.?\d/m)
  const [, endedAt] =
    /^signpost_publish_ended_timestamp_seconds\{status="published"\} (\S+)$/m.exec(text) ?? []
  assert.ok(Math.abs(Number(endedAt) * 1_000 - Date.now()) < 60_000, text)
  assert.doesNotMatch(text, /status="failed"/)
  assert.match(text, /nodejs_eventloop_lag_p99_seconds/)
  assert.doesNotMatch(text, /Ann|Ben|127\.0\.0\.1/)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404)
  assert.equal((await fetch(`http://localhost:${port}/metrics`)).status, 200)
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status, 405)
  assert.equal(await statusForHost(port, 'rebound.example'), 421)
  assert.equal((await fetch(`${url}/metrics`)).status, 404)
})

// `fetch` sets the Host header itself.
async function statusForHost(port: number, host: string): Promise<number | undefined> {
  const outgoing = request({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}
