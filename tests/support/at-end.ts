import type { TestContext } from 'node:test'

const undoing = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Has something undone when the test ends, what was made last first, and all of it even when a part fails. `t.after`
 * alone begins with the first and stops at a failure: a folder is then removed under the server that writes to it,
 * which can fail, and the server lives on forever.
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
