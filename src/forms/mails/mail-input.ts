import {
  fromConditionRows,
  type RuleField,
  type RuleInput,
  toConditionRows,
} from '../../conditions/condition-rows.ts'
import type { Json } from '../../lib/canonical-json.ts'
import { versionOf } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import type { DraftDefinition } from '../edit-form.ts'
import type { Form } from '../form.ts'
import type { FormDefinition } from '../form-definition.ts'
import { type FormSettings, settingsDefinition } from '../form-settings.ts'
import { checkMailReferences } from './check-mail-references.ts'

/** An element of a form's notifications. */
export type MailEntry = NonNullable<FormSettings['notifications']>[number]

/** A notification entry as the admin's form holds it: all texts. */
export interface MailInput {
  /** One address per line. */
  to: string
  subject: string
  text: string
  match: 'always' | 'all' | 'any' | 'json' | 'fallback'
  rules: RuleInput[]
  fire_on: string
}

const BLANK: MailInput = { to: '', subject: '', text: '', match: 'always', rules: [], fire_on: '' }

/** Returns the initial values of the form for an entry, or for a new one. */
export function toMailInput(entry: MailEntry | undefined, fields: readonly RuleField[]): MailInput {
  if (!entry) return BLANK
  const { to, subject, text, when = null, fallback } = entry
  const rows = toConditionRows(when, fields)
  return {
    to: to.join('\n'),
    subject: subject ?? '',
    text: text ?? '',
    match: fallback ? 'fallback' : (rows?.match ?? 'json'),
    rules: rows?.rules ?? [],
    fire_on: when === null ? '' : JSON.stringify(when, null, 2),
  }
}

type Read<Value> = { kind: 'valid'; value: Value } | { kind: 'invalid'; problems: AdminProblem[] }

/** Builds the entry from the typed texts, or returns the problems by input. */
export function readMailInput(input: MailInput, fields: readonly RuleField[]): Read<MailEntry> {
  const condition = readCondition(input, fields)
  if (condition === undefined) return { kind: 'invalid', problems: [{ path: ['fire_on'], code: 'not_json' }] }
  const written = {
    to: input.to.split(/[\n,;]/).flatMap((line) => line.trim() || []),
    ...(input.subject.trim() && { subject: input.subject.trim() }),
    ...(input.text.trim() && { text: input.text }),
    ...(condition !== null && { when: condition }),
    ...(input.match === 'fallback' && { fallback: true }),
  }
  const read = check({ notifications: [written] }, fields)
  const inputOf = (key: unknown) =>
    key === 'when' && input.match !== 'json' ? 'rules' : key === 'when' ? 'fire_on' : key
  if (read.kind === 'invalid')
    return {
      kind: 'invalid',
      problems: read.problems.map(
        ({ path: [, , key = 'to', at], ...problem }): AdminProblem =>
          problem.code === 'email_address'
            ? { path: ['to'], code: 'recipient_invalid', params: { text: written.to[Number(at)] ?? '' } }
            : { ...problem, path: [String(inputOf(key))] },
      ),
    }
  const [value] = read.value.notifications ?? []
  if (!value) return { kind: 'invalid', problems: [{ path: ['to'], code: 'first_address' }] }
  return { kind: 'valid', value }
}

/** Builds the reply from the typed texts; null if it is off. */
export function readReplyInput(
  { enabled, subject, text, reply_to }: { enabled: boolean; subject: string; text: string; reply_to: string },
  fields: readonly RuleField[],
): Read<NonNullable<FormSettings['reply']> | null> {
  if (!enabled) return { kind: 'valid', value: null }
  const written = { subject: subject.trim(), text, ...(reply_to.trim() && { reply_to: reply_to.trim() }) }
  const read = check({ reply: written }, fields)
  if (read.kind === 'valid') return { kind: 'valid', value: read.value.reply ?? null }
  return { kind: 'invalid', problems: read.problems.map((one) => ({ ...one, path: one.path.slice(1) })) }
}

/** Appends an entry, replaces the one at that position, or removes it if there is no entry. For `editForm`. */
export function putMailEntry(entry: MailEntry | undefined, index?: number) {
  return (definition: FormDefinition): DraftDefinition => {
    const entries = definition.settings.notifications ?? []
    const at = index ?? entries.length
    const notifications = entries.toSpliced(at, 1, ...(entry ? [entry] : []))
    return { ...definition, settings: { ...definition.settings, notifications } }
  }
}

/** Sets or removes the form's reply. For `editForm`. */
export function putReply(reply: FormSettings['reply']) {
  return (definition: FormDefinition): DraftDefinition => {
    const { reply: _, ...settings } = definition.settings
    return { ...definition, settings: { ...settings, ...(reply && { reply }) } }
  }
}

/** Returns a text that differs whenever the emails differ. */
export function mailsVersionOf({ settings: { notifications, reply } }: Form): string {
  return versionOf([notifications ?? [], reply ?? null])
}

function check(settings: unknown, fields: readonly RuleField[]): Read<FormSettings> {
  const parsed = settingsDefinition.safeParse(settings)
  if (!parsed.success) return { kind: 'invalid', problems: parsed.error.issues.map(problemOf) }
  const unknown = checkMailReferences(parsed.data, fields).map(({ mention: _, ...problem }) => problem)
  return unknown.length > 0 ? { kind: 'invalid', problems: unknown } : { kind: 'valid', value: parsed.data }
}

// Undefined if it isn't valid JSON.
function readCondition(input: MailInput, fields: readonly RuleField[]): Json | undefined {
  if (input.match === 'fallback' || input.match === 'always') return null
  if (input.match !== 'json') return fromConditionRows({ match: input.match, rules: input.rules }, fields)
  try {
    return input.fire_on.trim() === '' ? null : JSON.parse(input.fire_on)
  } catch {
    return undefined
  }
}
