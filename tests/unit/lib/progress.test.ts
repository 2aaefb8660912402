import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { createProgress, joinProgress, silentProgress } from '#src/lib/progress.ts'

function outputThat({ isTTY }: { isTTY: boolean }) {
  const written: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const terminal = { isTTY, columns: 80, rows: 24, cursorTo() {}, clearLine() {}, moveCursor() {} }
  return { written, output: Object.assign(stream, terminal) as unknown as NodeJS.WriteStream }
}

function clockOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date', 'setTimeout'] })
  return t.mock.timers
}

test('without a terminal a plain line is printed every two seconds', (t) => {
  const clock = clockOf(t)
  const { written, output } = outputThat({ isTTY: false })
  const progress = createProgress('Syncing', output)
  for (let done = 1; done <= 50; done += 1) {
    progress.update(done, 50)
    clock.tick(100)
  }
  progress.finish()
  assert.deepEqual(written, ['Syncing: 21 of 50\n', 'Syncing: 41 of 50\n'])
})

test('without a terminal short work prints nothing', (t) => {
  clockOf(t)
  const { written, output } = outputThat({ isTTY: false })
  const progress = createProgress('Syncing', output)
  progress.update(1, 1)
  progress.finish()
  assert.deepEqual(written, [])
})

test('on a terminal a bar shows the label and the progress', (t) => {
  clockOf(t)
  const { written, output } = outputThat({ isTTY: true })
  const progress = createProgress('Building', output)
  progress.update(3, 12)
  progress.finish()
  assert.match(written.join(''), /Building .* 3\/12/)
})

test('a bar that never started prints nothing', () => {
  const { written, output } = outputThat({ isTTY: true })
  createProgress('Building', output).finish()
  assert.deepEqual(written, [])
})

test('silent progress accepts the same calls', () => {
  silentProgress.update(1, 2)
  assert.equal(silentProgress.finish(), undefined)
})

test('each step has its own lines and its own bar', (t) => {
  const clock = clockOf(t)
  const work = (isTTY: boolean) => {
    const { written, output } = outputThat({ isTTY })
    const progress = createProgress('Publishing', output)
    for (const text of ['Rendering', 'Copying']) {
      progress.phase({ code: 'any', text })
      for (let done = 1; done <= 30; done += 1) {
        progress.update(done, 30)
        clock.tick(100)
      }
    }
    progress.finish()
    return written.join('')
  }
  assert.equal(work(false), 'Rendering: 21 of 30\nCopying: 11 of 30\n')
  const shown = work(true)
  assert.match(shown, /Rendering .*30\/30.*Copying .*30\/30/s)
  const begins = shown.match(/ 0\/30/g)?.length ?? 0
  assert.ok(begins <= 4, `each bar begins once: ${begins}`)
})

test('joined progress reports every call to both', () => {
  const calls: string[] = []
  const listener = (name: string) => ({
    phase: ({ text }: { text: string }) => void calls.push(`${name} ${text}`),
    update: (done: number, total: number) => void calls.push(`${name} ${done}/${total}`),
    finish: () => void calls.push(`${name} ends`),
  })
  const both = joinProgress(listener('a'), listener('b'))
  both.phase({ code: 'any', text: 'Copying' })
  both.update(1, 2)
  both.finish()
  assert.deepEqual(calls, ['a Copying', 'b Copying', 'a 1/2', 'b 1/2', 'a ends', 'b ends'])
})
