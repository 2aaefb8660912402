import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startFront } from '../../support/front.ts'

test('a request that fails tells a reference that the log has, and no details', async (t) => {
  const { app, url } = await startFront(t)
  const logged = t.mock.method(app.log, 'error', () => {})
  await sql`alter table forms rename to elsewhere`.execute(app.db)
  const post = (accept: string) =>
    fetch(`${url}/api/forms/waitlist/submissions?email=ann@example.com`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{}',
    })
  for (const [accept, type] of [
    ['application/json', 'text/plain; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
  ] as const) {
    const answer = await post(accept)
    const body = await answer.text()
    const reference = answer.headers.get('x-request-id') as string
    assert.equal(answer.status, 500)
    assert.equal(answer.headers.get('content-type'), type)
    assert.match(body, /Something went wrong on our side/)
    assert.ok(body.includes(reference))
    assert.doesNotMatch(body, /no such table|elsewhere|\.ts/)
    const [entry] = (logged.mock.calls.at(-1)?.arguments ?? []) as unknown as [object]
    assert.partialDeepStrictEqual(entry, { requestId: reference, path: '/api/forms/waitlist/submissions' })
  }
})

test('behind https every answer keeps browsers there, and elsewhere none does', async (t) => {
  const secure = await startFront(t, { environment: { SITE_URL: 'https://www.example.com' } })
  const headers = { host: '127.0.0.1' }
  const answer = await fetch(`${secure.url}/health`, { headers })
  assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000')
  const plain = await startFront(t)
  assert.equal((await fetch(`${plain.url}/`)).headers.get('strict-transport-security'), null)
})
