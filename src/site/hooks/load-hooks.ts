import { createRequire } from 'node:module'
import { join } from 'node:path'
import { interruptAfter } from '../../lib/background/interrupt-after.ts'
import { isMissing } from '../../lib/is-missing.ts'
import { Failure } from '../../lib/messages.ts'
import { PROGRAM_DIR, SITE_DIR } from '../../lib/program/folders.ts'
import { hookFailures, hookTexts } from '../../messages/server/hooks.ts'
import { HOOKS_FILE, hookPlace } from './hook-failure.ts'
import { HOOK_NAMES, type SiteHooks } from './hooks.ts'

const LOADING = { withinMs: 10_000, message: hookTexts.tooLate }
const NONE: SiteHooks = {}

let loaded: SiteHooks | undefined

/** Returns this site's hooks. They are loaded once, so changes require a restart. */
export function siteHooks(): SiteHooks {
  loaded ??= loadHooks(SITE_DIR)
  return loaded
}

/**
 * Loads a site's hooks; none if there is no file. Throws if the file can't be loaded or contains anything unknown.
 */
export function loadHooks(siteDir: string): SiteHooks {
  const file = join(siteDir, HOOKS_FILE)
  if (siteDir === PROGRAM_DIR || isMissing(file)) return NONE
  const exported = readModule(file).default
  if (typeof exported !== 'object' || exported === null)
    throw new Failure(hookFailures, 'notHooks', HOOKS_FILE)
  for (const [name, hook] of Object.entries(exported)) {
    if (!HOOK_NAMES.some((known) => known === name))
      throw new Failure(hookFailures, 'unknown', HOOKS_FILE, name, HOOK_NAMES.join(', '))
    if (hook !== undefined && typeof hook !== 'function')
      throw new Failure(hookFailures, 'notAFunction', HOOKS_FILE, name)
  }
  return exported
}

function readModule(file: string): { default?: unknown } {
  try {
    return interruptAfter(LOADING, () => createRequire(file)(file))
  } catch (error) {
    throw new Failure(hookFailures, 'unreadable', hookPlace(error), (error as Error).message)
  }
}
