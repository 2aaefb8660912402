import type { Answers } from '../../forms/form.ts'
import { endWithin } from '../../lib/background/end-within.ts'
import { interruptAfter } from '../../lib/background/interrupt-after.ts'
import { hookTexts } from '../../messages/server/hooks.ts'
import type { SubmissionMeta } from '../../templates/meta.ts'
import { submissionMeta } from '../../webhooks/body/submission-meta.ts'
import type { PendingSubmission } from './pending-submission.ts'

const BEFORE_WITHIN_MS = 2_000
const MAX_MESSAGE = 300

/** A post whose answers were checked. */
export interface HookSubmission {
  form: { id: number; slug: string; name: string }
  /** By field name. A copy: changes to it have no effect. */
  answers: Answers
  /** The keys of `meta` in webhooks, except those that only a stored lead has. */
  meta: Omit<SubmissionMeta, 'submission_id' | 'admin_url' | 'is_test'>
}

/** The answer of `beforeSubmission` that keeps a post from being stored. */
export interface HookRefusal {
  /** The message for the visitor, in plain text. */
  refuse: string
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return is one
type Verdict = HookRefusal | undefined | void

/** A site's own code around storing a post. */
export interface SubmissionHooks {
  /**
   * Runs before a post is stored. If it fails or takes longer than 2 seconds, that is logged and the post is stored.
   */
  beforeSubmission?(submission: HookSubmission): Verdict | Promise<Verdict>
  /** Runs after a lead was stored: at most once, and not for spam. Failures are logged. */
  afterSubmission?(submission: HookSubmission & { id: number }): void | Promise<void>
}

/** The hooks as the desk calls them. Neither function throws. */
export interface IntakeHooks {
  /** Returns why a post is refused; undefined if it may be stored. */
  before?: (pending: PendingSubmission) => Promise<string | undefined>
  /** Starts the hook after storing, without waiting for it. */
  after?: (pending: PendingSubmission, id: number) => void
}

interface IntakeHookOptions {
  siteUrl: string
  onFailure: (error: unknown, hook: keyof SubmissionHooks) => void
  withinMs?: number
}

/** Prepares the hooks for the desk; undefined for a site without hooks, so that its posts skip this step. */
export function createIntakeHooks(
  hooks: SubmissionHooks,
  { siteUrl, onFailure, withinMs = BEFORE_WITHIN_MS }: IntakeHookOptions,
): IntakeHooks | undefined {
  const { beforeSubmission, afterSubmission } = hooks
  if (!beforeSubmission && !afterSubmission) return undefined
  const deadline = { withinMs, message: hookTexts.tooLate }
  return {
    ...(beforeSubmission && {
      async before(pending) {
        const asking = endWithin(deadline, () =>
          interruptAfter(deadline, () => beforeSubmission(toShown(pending, siteUrl))),
        )
        try {
          return refusalOf(await (pending.deadline?.besides(asking) ?? asking))
        } catch (error) {
          onFailure(error, 'beforeSubmission')
          return undefined
        }
      },
    }),
    ...(afterSubmission && {
      after(pending, id) {
        // In a later turn of the event loop, so that the visitor gets the response first.
        setImmediate(async () => {
          try {
            await afterSubmission({ id, ...toShown(pending, siteUrl) })
          } catch (error) {
            onFailure(error, 'afterSubmission')
          }
        })
      },
    }),
  }
}

// Any other return value is a mistake in the hook, which must not cost a lead.
function refusalOf(verdict: Verdict): string | undefined {
  if (verdict === undefined || verdict === null) return undefined
  const { refuse } = verdict as { refuse?: unknown }
  if (typeof refuse !== 'string' || refuse.trim() === '') throw new Error(hookTexts.verdictInvalid)
  return refuse.trim().slice(0, MAX_MESSAGE)
}

function toShown({ form, submission }: PendingSubmission, siteUrl: string): HookSubmission {
  const subject = { ...submission, id: 0, form }
  const { submission_id, admin_url, is_test, ...meta } = submissionMeta(subject, { siteUrl })
  const { id, slug, name } = form
  return { form: { id, slug, name }, answers: structuredClone(submission.answers), meta }
}
