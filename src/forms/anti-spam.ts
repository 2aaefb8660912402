import { z } from 'zod'
import { rule } from '../messages/files/rules/schema-rule.ts'

/** A form's `anti_spam` settings; missing keys have their defaults. */
export const antiSpamDefinition = z.strictObject({
  /** More links than this in the answers count as spam; null: no limit. Default 3. */
  max_links: z.int(rule('whole_number')).min(0).nullish(),
  /** A form open for fewer seconds counts as spam; 0 turns the check off. Default 2. */
  min_seconds: z.number(rule('number_of_seconds')).min(0).max(60).nullish(),
  /** Asks the visitor's browser for a proof of work (ALTCHA), which requires JavaScript. Default false. */
  proof_of_work: z.boolean(rule('true_or_false')).nullish(),
})

type AntiSpamSetting = boolean | z.output<typeof antiSpamDefinition> | null | undefined

export interface AntiSpamRules {
  maxLinks: number
  minSeconds: number
  needsProofOfWork: boolean
}

const DEFAULTS: AntiSpamRules = { maxLinks: 3, minSeconds: 2, needsProofOfWork: false }
const NONE: AntiSpamRules = { maxLinks: Number.POSITIVE_INFINITY, minSeconds: 0, needsProofOfWork: false }

/**
 * Returns a form's rules: `anti_spam: false` turns them off; true or no value means the defaults. The spam
 * trap is a separate setting.
 */
export function antiSpamRules({ anti_spam: setting }: { anti_spam?: AntiSpamSetting }): AntiSpamRules {
  if (setting === false) return NONE
  if (typeof setting !== 'object' || setting === null) return DEFAULTS
  return {
    maxLinks: setting.max_links === null ? NONE.maxLinks : (setting.max_links ?? DEFAULTS.maxLinks),
    minSeconds: setting.min_seconds ?? DEFAULTS.minSeconds,
    needsProofOfWork: setting.proof_of_work ?? DEFAULTS.needsProofOfWork,
  }
}
