import { Failure } from '../../lib/messages.ts'
import { hookFailures } from '../../messages/server/hooks.ts'
import type { HOOK_NAMES } from './hooks.ts'

/** File of a site with its hooks. */
export const HOOKS_FILE = 'src/hooks.ts'

const PLACE = /src[\\/]hooks\.ts:\d+/

/** Returns the failure of a hook, with its file and, if the error shows it, the line. */
export function hookFailure(hook: (typeof HOOK_NAMES)[number], error: unknown) {
  const [reason, stack = ''] = error instanceof Error ? [error.message, error.stack] : [String(error)]
  const [place = HOOKS_FILE] = PLACE.exec(stack) ?? []
  return new Failure(hookFailures, 'failed', hook, place, reason)
}
