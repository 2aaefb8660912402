import type { SubmissionHooks } from '../../submissions/intake/submission-hooks.ts'
import type { PageView } from '../pages/page.ts'

export type { HookRefusal, HookSubmission } from '../../submissions/intake/submission-hooks.ts'
export type { PageView } from '../pages/page.ts'

/** A release that visitors see from now on. */
export interface PublishedRelease {
  releaseId: string
  /** Pages with other bytes than before, by path. */
  changes: readonly { change: 'added' | 'changed' | 'removed'; path: string }[]
}

/** A site's own code beside what the program does, in its `src/hooks.ts`. */
export interface SiteHooks extends SubmissionHooks {
  /** Runs before each publish, also one that finds nothing to do. A failure, or no end within 30 seconds, stops it. */
  beforePublish?(): void | Promise<void>
  /** Runs after a publish that changed the site. A failure is noted in its record. */
  afterPublish?(release: PublishedRelease): void | Promise<void>
  /** Returns HTML for the end of a page's head. The same view must give the same HTML. */
  head?(view: PageView): string | undefined
  /** Returns objects of schema.org for a page. The same view must give the same objects. */
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

/** Describes the hooks of a site, as the default export of its `src/hooks.ts`. */
export function defineHooks(hooks: SiteHooks): SiteHooks {
  return hooks
}
