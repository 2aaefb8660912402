import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createLog } from '#src/server/program-log.ts'
import { createRefusalLog, LINES_PER_MINUTE } from '#src/server/refusals/refusal-log.ts'

/** A log of refusals in memory, with a clock that is set by hand. */
function openLog() {
  const lines: string[] = []
  const clock = { ms: Date.parse('2026-11-22T10:00:00.000Z') }
  const { note } = createRefusalLog(createLog('info', { write: (line) => lines.push(line) }), {
    clientOf: () => '192.0.2.7',
    now: () => new Date(clock.ms),
  })
  const entries = () => lines.map((line) => JSON.parse(line))
  return { lines, clock, note, entries }
}

const asked = (url: string) => ({ method: 'POST', url }) as IncomingMessage

test('V16.3 a refusal is one line with a code, the client address, and the path, and names no account', () => {
  const { note, entries } = openLog()
  note('sign_in_failed', asked('/admin/login?next=%2Fadmin&email=ann@example.com'))
  const [{ time, pid, hostname, ...entry }] = entries()
  assert.deepEqual(entry, {
    level: 40,
    code: 'sign_in_failed',
    client: '192.0.2.7',
    method: 'POST',
    path: '/admin/login',
    msg: 'refused',
  })
})

test('V16.4.1 a path can’t inject a log line, a long line, or a token', () => {
  const { lines, note, entries } = openLog()
  note('request_refused', asked('/x%0a{"level":50}%1b[31m'))
  note('request_refused', asked(`/${'é'.repeat(5_000)}`))
  note('invitation_refused', asked('/admin/invitation/secret'))
  assert.equal(lines.length, 3)
  for (const line of lines) {
    assert.equal(line.split('\n').length, 2)
    assert.ok(line.length < 500)
    assert.ok(![...line.trimEnd()].some((character) => character < ' '))
  }
  assert.equal(entries()[2].path, '/admin/invitation/…')
})

test('a flood of one code is limited, hides no other code, and is summarized in the next minute', () => {
  const { lines, clock, note, entries } = openLog()
  for (let time = 0; time < LINES_PER_MINUTE + 970; time += 1) note('host_refused', asked('/'))
  assert.equal(lines.length, LINES_PER_MINUTE)
  note('sign_in_failed', asked('/admin/login'))
  assert.equal(entries().at(-1).code, 'sign_in_failed')
  clock.ms += 60_000
  note('host_refused', asked('/'))
  assert.equal(entries().at(-1).leftOut, 970)
  note('host_refused', asked('/'))
  assert.equal('leftOut' in entries().at(-1), false)
})
