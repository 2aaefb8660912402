import { Failure } from '../../lib/messages.ts'
import { hookFailures } from '../../messages/server/hooks.ts'
import type { HOOK_NAMES } from './hooks.ts'

/** File of a site with its hooks. */
export const HOOKS_FILE = 'src/hooks.ts'

const PLACE = /src[\\/]hooks\.ts:\d+/

/** Returns the failure of a hook, with its file and, if the error shows it, the line. */
export function hookFailure(hook: (typeof HOOK_NAMES)[number], error: unknown) {
  const reason = error instanceof Error ? error.message : String(error)
  return new Failure(hookFailures, 'failed', hook, hookPlace(error), reason)
}

/** Returns the file in which a hook failed and, if the error shows it, the line: `src/hooks.ts:7`. */
export function hookPlace(error: unknown): string {
  const [place = HOOKS_FILE] = PLACE.exec(error instanceof Error ? (error.stack ?? '') : '') ?? []
  return place
}
