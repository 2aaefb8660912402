import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { test } from 'node:test'
import { createLog } from '#src/server/program-log.ts'

test('PostgreSQL’s details about a refused row aren’t logged', () => {
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

test('a thrown value that isn’t an error is logged as is', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  for (const err of ['a text', null, 7]) log.error({ err }, 'request failed')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).err),
    ['a text', null, 7],
  )
})

const LOGGING = `
  import { createLog } from '${new URL('../../../src/server/program-log.ts', import.meta.url)}'
  const log = createLog('info')
  const again = setInterval(() => log.info({}, 'a line'), 5)
  setTimeout(() => { clearInterval(again); console.error('went on') }, 100)
`

test('an unwritable log on a full disk stops nothing', () => {
  const stdio = ['ignore' as const, openSync('/dev/full', 'w'), 'pipe' as const]
  const parameters = ['--input-type=module', '--eval', LOGGING]
  const { status, stderr } = spawnSync(process.execPath, parameters, { stdio, timeout: 20_000 })
  assert.deepEqual([String(stderr), status], ['went on\n', 0])
})
