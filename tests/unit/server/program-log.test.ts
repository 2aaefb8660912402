import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../src/server/program-log.ts'

test('what PostgreSQL tells of the row that it refused is not logged', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const err = Object.assign(new Error('violates check constraint'), {
    code: '23514',
    detail: 'Failing row contains (7, ann@example.com).',
    where: 'COPY forms, line 1: "ann@example.com"',
  })
  log.error({ err }, 'request failed')
  const [entry] = lines.map((line) => JSON.parse(line))
  assert.deepEqual([entry.msg, entry.err.code], ['request failed', '23514'])
  assert.match(entry.err.stack, /program-log\.test/)
  assert.doesNotMatch(String(lines), /ann@example/)
})

test('what is thrown and is no error is logged as it is', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  for (const err of ['a text', null, 7]) log.error({ err }, 'request failed')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err),
    ['a text', null, 7],
  )
})
