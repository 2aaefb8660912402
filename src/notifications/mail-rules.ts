import type { JudgedSubject } from '../conditions/condition-slugs.ts'
import { type Condition, conditionSchema } from '../conditions/conditions.ts'
import { evaluateCondition } from '../conditions/evaluate-condition.ts'
import { onceFor } from '../lib/once-for.ts'

/** Recipients and texts of emails about some leads: an element of a form's `notifications` (contract §8). */
export interface MailRule {
  to: readonly string[]
  when?: Condition | null | undefined
  subject?: string | null | undefined
  text?: string | null | undefined
  fallback?: boolean | undefined
}

/** The form settings that determine a lead's recipients. */
export interface MailSettings {
  /** Equals an entry without conditions. */
  notification_email?: string | null | undefined
  notifications?: readonly MailRule[] | null | undefined
}

/** Returns the entries that a lead matches, or else the fallback entries. */
function matchRules(settings: MailSettings, subject: JudgedSubject): MailRule[] {
  const { notification_email: address, notifications } = settings
  const rules = [...(notifications ?? []), ...(address ? [{ to: [address] }] : [])]
  const matching = rules.filter((rule) => !rule.fallback && isMet(rule, subject))
  return matching.length > 0 ? matching : rules.filter(({ fallback }) => fallback)
}

/** Lists the addresses that get an email about a lead, without duplicates. */
export function listRecipients(settings: MailSettings, subject: JudgedSubject): string[] {
  const addresses = matchRules(settings, subject).flatMap(({ to }) => to)
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()]
}

/** Returns the first recipients that get every lead, so that no fallback applies; undefined if there are none. */
export function findCatchAll({
  notification_email: address,
  notifications,
}: MailSettings): readonly string[] | undefined {
  const rules = [...(address ? [{ to: [address] }] : []), ...(notifications ?? [])]
  return rules.find((rule: MailRule) => !rule.fallback && matchesAll(rule))?.to
}

/** Returns whether any leads are sent by email. */
export function notifiesAnyone({ notification_email: address, notifications }: MailSettings): boolean {
  return Boolean(address) || (notifications ?? []).length > 0
}

/** Lists the conditions of a form's recipients that can be read. */
export function conditionsOfMails({ notifications }: MailSettings): Condition[] {
  return (notifications ?? []).flatMap(({ when }) => (when && isReadable(when) ? [when] : []))
}

/** Returns the entry whose email an address gets: a matching one, or else any that contains the address. */
export function findRuleFor(
  settings: MailSettings,
  subject: JudgedSubject,
  recipient: string,
): MailRule | undefined {
  const isTo = ({ to }: MailRule) => to.some((address) => address.toLowerCase() === recipient.toLowerCase())
  return matchRules(settings, subject).find(isTo) ?? settings.notifications?.find(isTo)
}

// A condition of `{}` always holds.
function matchesAll({ when }: MailRule): boolean {
  return !when || Object.keys(when).length === 0
}

function isMet({ when }: MailRule, subject: JudgedSubject): boolean {
  if (!when) return true
  return isReadable(when) && evaluateCondition(when, subject).fires
}

// An unreadable condition doesn't match. Each condition is parsed once, not for each lead.
const isReadable = onceFor((when: Condition) => conditionSchema.safeParse(when).success)
