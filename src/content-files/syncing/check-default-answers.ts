import { canonicalJson } from '../../lib/canonical-json.ts'
import type { ContentDocument } from '../document.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { PathPlan } from './plan-paths.ts'

/**
 * Finds default answers in these files that visitors couldn't send. Those of a field synced before they were checked
 * stay and are warnings: see findWarnings.
 */
export function checkDefaultAnswers(files: readonly ParsedFile[], plans: readonly PathPlan[]): Mistake[] {
  const known = new Map(plans.map((plan) => [plan.path, knownFields(plan)]))
  return files.flatMap(({ path, references }) =>
    references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'default_answer') return []
      if (known.get(path)?.has(canonicalJson(reference.field))) return []
      return [{ path, line: reference.line, fault: reference.fault }]
    }),
  )
}

function knownFields({ row, base }: PathPlan): Set<string> {
  const documents: ContentDocument[] = [row?.document, base?.document].flatMap((document) => document ?? [])
  return new Set(
    documents.flatMap((document) =>
      document.kind === 'form' ? document.definition.fields.map(canonicalJson) : [],
    ),
  )
}
