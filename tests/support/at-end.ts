import type { TestContext } from 'node:test'

const undoing = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Registers a cleanup for the end of the test. Cleanups run in reverse order, and all of them run even if one fails.
 * `t.after` alone runs them in order and stops at a failure: a folder is then removed under the server that writes
 * to it, which can fail, and the server stays alive forever.
 */
export function atEnd(t: TestContext, undo: () => unknown): void {
  const known = undoing.get(t)
  if (known) return void known.push(undo)
  const steps = [undo]
  undoing.set(t, steps)
  t.after(() => undoAll(steps))
}

async function undoAll(steps: (() => unknown)[]) {
  const errors: unknown[] = []
  for (let undo = steps.pop(); undo; undo = steps.pop()) {
    try {
      await undo()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('\n'))
  if (errors.length === 1) throw errors[0]
}
