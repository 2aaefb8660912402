import type { SubmissionHooks } from '../../submissions/intake/submission-hooks.ts'
import type { PageView } from '../pages/page.ts'

export type { HookRefusal, HookSubmission } from '../../submissions/intake/submission-hooks.ts'
export type { PageView } from '../pages/page.ts'

/** A release that was just made live. */
export interface PublishedRelease {
  releaseId: string
  /** Pages whose bytes changed, by path. */
  changes: readonly { change: 'added' | 'changed' | 'removed'; path: string }[]
}

/** A site's own code, in its `src/hooks.ts`. */
export interface SiteHooks extends SubmissionHooks {
  /**
   * Runs before each publish, even if nothing has changed. If it fails or takes longer than 30 seconds, the publish
   * stops.
   */
  beforePublish?(): void | Promise<void>
  /** Runs after a publish that changed the site. A failure is recorded with the publish. */
  afterPublish?(release: PublishedRelease): void | Promise<void>
  /** Returns HTML for the end of a page's head. Must return the same HTML for the same view. */
  head?(view: PageView): string | undefined
  /** Returns schema.org objects for a page. Must return the same objects for the same view. */
  jsonLd?(view: PageView): readonly object[] | undefined
}

/** Names of all hooks. */
export const HOOK_NAMES = [
  'beforeSubmission',
  'afterSubmission',
  'beforePublish',
  'afterPublish',
  'head',
  'jsonLd',
] as const satisfies readonly (keyof SiteHooks)[]

/** Defines a site's hooks, as the default export of its `src/hooks.ts`. */
export function defineHooks(hooks: SiteHooks): SiteHooks {
  return hooks
}
