import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { type Problem, ruleSentence } from '../files/rules/rule.ts'
import { countOf } from '../plural.ts'

const FAULTS = {
  name_missing: () => 'Enter a name.',
  label_missing: () => 'Enter a label. People see it beside the field.',
  key_invalid: () =>
    'Use lower-case letters, digits, and underscores, starting with a letter, such as finished_on.',
  slug_invalid: () => 'Use lower-case letters, digits, hyphens, and underscores, such as projects.',
  slug_taken: ({ slug }: { slug: string }) => `"${slug}" is taken. Choose another.`,
  /** Slugs have a part for each placeholder: entries that are there fit no other number. */
  parts_changed: ({ entries, before, after }: { entries: number; before: number; after: number }) =>
    `Existing entries (${entries}) have slugs of ${countOf(before, { one: 'part', other: 'parts' })}, but this pattern needs ${after}.`,
  address_taken: ({ slug, fault }: { slug: string; fault: string }) =>
    `With this pattern, "${slug}" has an invalid address: ${fault}.`,
}

/** What is wrong with a content type; `path` leads to the input. */
export type TypeProblem = Problem | ({ path: readonly PropertyKey[] } & MessageOf<typeof FAULTS>)

const describeFault = createMessages(FAULTS)

/** The sentence of a problem. */
export function describeTypeProblem(problem: TypeProblem): string {
  return isFault(problem) ? describeFault(problem) : ruleSentence(problem)
}

function isFault(problem: TypeProblem): problem is Exclude<TypeProblem, Problem> {
  return Object.hasOwn(FAULTS, problem.code)
}
