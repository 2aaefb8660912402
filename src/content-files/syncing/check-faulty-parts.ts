import { canonicalJson } from '../../lib/canonical-json.ts'
import type { ContentDocument } from '../document.ts'
import { mentionsOf } from '../parsing/find-mentions.ts'
import type { Mistake } from '../parsing/mistake.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { PathPlan } from './plan-paths.ts'

/**
 * Finds faulty parts in these files: default answers that visitors couldn't send, and mentions of questions that their
 * form doesn't have. Those of the stored form stay and are warnings: see findWarnings.
 */
export function checkFaultyParts(files: readonly ParsedFile[], plans: readonly PathPlan[]): Mistake[] {
  const known = new Map(plans.map((plan) => [plan.path, knownParts(plan)]))
  return files.flatMap(({ path, references }) =>
    references.flatMap((reference): Mistake[] => {
      if (reference.to !== 'faulty_part' || known.get(path)?.has(reference.key)) return []
      return [{ path, line: reference.line, fault: reference.fault }]
    }),
  )
}

function knownParts({ row, base }: PathPlan): Set<string> {
  const documents: ContentDocument[] = [row?.document, base?.document].flatMap((document) => document ?? [])
  return new Set(
    documents.flatMap((document) =>
      document.kind === 'form'
        ? [...document.definition.fields.map(canonicalJson), ...mentionsOf(document)]
        : [],
    ),
  )
}
