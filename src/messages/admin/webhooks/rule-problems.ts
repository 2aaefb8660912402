import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { operatorLabels } from './conditions.ts'

const orList = new Intl.ListFormat('en', { type: 'disjunction' })

type Kind = 'place' | 'service'

const PROBLEMS = {
  rule_field_missing: ({ value }: { value: string }) => `Choose a field for “${value}”.`,
  place_operator_elsewhere: () =>
    `“${operatorLabels.within}” works only with Place. Choose Place or another operator.`,
  rule_value_missing: ({ kind }: { kind: Kind }) => `Choose a ${kind}.`,
  name_unknown: ({ kind, text, near }: { kind: Kind; text: string; near: readonly string[] }) =>
    `No ${kind} is called “${text}”.${near.length > 0 ? ` Did you mean ${orList.format(near)}?` : ''}`,
  name_ambiguous: ({ kind, text, slugs }: { kind: Kind; text: string; slugs: readonly string[] }) =>
    `Several ${kind}s are called “${text}”. Enter ${orList.format(slugs)}.`,
}

/** A problem with a rule of the admin's form. */
export type RuleProblem = MessageOf<typeof PROBLEMS>

/** Returns the sentence of a problem. */
export const describeRuleProblem = createMessages(PROBLEMS)
