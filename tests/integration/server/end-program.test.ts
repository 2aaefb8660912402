import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { printFigure } from '../../support/soak.ts'

test('SIGTERM, SIGINT, and SIGHUP exit with 0 when all work is finished, else with 1 and the unfinished work', async (t) => {
  let slowestMs = 0
  for (const { signal, stop, withinMs, code, says } of [
    { signal: 'SIGTERM', stop: 'Promise.resolve()', withinMs: 10_000, code: 0, says: '' },
    { signal: 'SIGINT', stop: 'new Promise(() => {})', withinMs: 50, code: 1, says: 'did not stop in time' },
    {
      signal: 'SIGHUP',
      stop: 'Promise.reject(new Error("no"))',
      withinMs: 10_000,
      code: 1,
      says: 'could not shut down cleanly',
    },
  ] as const) {
    const program = `
      import { endOnSignal } from './src/server/end-program.ts'
      const log = { error: ({ stillOpen }, message) => process.stderr.write(stillOpen + ': ' + message) }
      endOnSignal({ stop: () => ${stop}, stillOpen: () => ['deliveries'], log, withinMs: ${withinMs} })
      setInterval(() => {}, 1_000)
      console.log('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: PROJECT_DIR })
    let output = ''
    child.stderr.on('data', (chunk) => (output += chunk))
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    const toldAt = performance.now()
    child.kill(signal)
    const [exitCode] = await closed
    slowestMs = Math.max(slowestMs, performance.now() - toldAt)
    assert.deepEqual([exitCode, output.includes(says)], [code, true], output)
    assert.equal(output.startsWith('deliveries: '), code === 1, output)
  }
  printFigure(t, `3 ends, the slowest ${Math.round(slowestMs)} ms after the signal`)
})
