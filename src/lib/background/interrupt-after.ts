import { Script } from 'node:vm'

const WORK = Symbol.for('signpost.interruptible-work')
// Only scripts can be interrupted, and with all that they call. A thread that watches costs 0.15 ms.
const script = new Script(`globalThis[Symbol.for('${WORK.description}')]()`)

/**
 * Returns the result of `work`; throws the message if it takes longer than `withinMs`, even in an endless loop. What
 * follows an `await` isn't interrupted.
 */
export function interruptAfter<T>(
  { withinMs, message }: { withinMs: number; message: (seconds: number) => string },
  work: () => T,
): T {
  Reflect.set(globalThis, WORK, work)
  try {
    return script.runInThisContext({ timeout: withinMs, displayErrors: false })
  } catch (error) {
    const isLate = (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    throw isLate ? new Error(message(withinMs / 1_000)) : error
  }
}
