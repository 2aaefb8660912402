import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printFigure, soakLength } from '../../support/soak.ts'
import { traceServer, withoutStrace } from '../../support/traced-server.ts'

const POSTS = soakLength(300, 10_000)
const POSTS_WITHOUT_GUARD = 300
const AT_ONCE = 8
const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

test('an acknowledged submission survives a power cut: no 201 leaves before the log is on disk', {
  skip: withoutStrace,
}, async (t) => {
  const { acknowledged, early } = countEarlyAnswers(
    await traceServer(t, { post: (url) => postAll(url, POSTS) }),
  )
  assert.ok(acknowledged >= POSTS)
  assert.equal(early, 0)
  printFigure(t, `${early} of ${acknowledged} answered before the log was on disk`)
})

test('the trace shows early responses when SQLite doesn’t wait for the disk', {
  skip: withoutStrace,
}, async (t) => {
  const { early } = countEarlyAnswers(
    await traceServer(t, {
      serverArguments: ['--synchronous', '1'],
      post: (url) => postAll(url, POSTS_WITHOUT_GUARD),
    }),
  )
  assert.ok(early > POSTS_WITHOUT_GUARD / 2, `${early} early answers`)
})

function postAll(url: string, posts: number) {
  return Promise.all(Array.from({ length: AT_ONCE }, () => postMany(url, Math.ceil(posts / AT_ONCE))))
}

async function postMany(url: string, count: number) {
  for (let posts = 0; posts < count; posts++) {
    const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ANSWERS),
    })
    assert.equal(response.status, 201)
    await response.body?.cancel()
  }
}

/** How many 201 were sent, and how many of them while the write-ahead log had bytes that were not synced. */
function countEarlyAnswers(calls: readonly string[]) {
  let isDirty = false
  let acknowledged = 0
  let early = 0
  for (const call of calls) {
    if (/^pwrite64\(\d+<[^>]*signpost\.db-wal>/.test(call)) isDirty = true
    if (/^f(data)?sync\(\d+<[^>]*signpost\.db-wal>/.test(call)) isDirty = false
    if (!call.includes('HTTP/1.1 201')) continue
    acknowledged += 1
    early += isDirty ? 1 : 0
  }
  return { acknowledged, early }
}
