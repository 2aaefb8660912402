import { canonicalJson } from '../../lib/canonical-json.ts'
import { compareText } from '../../lib/compare-text.ts'
import type { Environment } from '../../lib/environment-values.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { OpenBase } from '../base-documents.ts'
import type { ContentDocument, FormDocument } from '../document.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import { isSameForm } from './form-rows.ts'
import { type Decision, decide, type Preferring, preferenceAt, type RowDocument } from './plan-sync.ts'

/** The plan for one path, and its subject. */
export interface PathPlan {
  path: string
  decision: Decision
  /** The reason for a conflict that the three-way rule alone doesn't find, or for a file that waits. */
  reason?: string
  file: ContentDocument | undefined
  /** The result of a merge. */
  merged?: ContentDocument
  row: RowDocument | undefined
  base: OpenBase | undefined
}

interface Sides {
  files: readonly ParsedFile[]
  rows: ReadonlyMap<string, RowDocument>
  bases: ReadonlyMap<string, OpenBase>
  seeds: ReadonlyMap<string, RowDocument>
}

/** Makes a plan for every path that has a file, row, or base, in order. Unreadable files have none. */
export function planPaths(
  { files, rows, bases, seeds }: Sides,
  options: Preferring & { environment: Environment; secretBox: SecretBox },
): PathPlan[] {
  const documents = new Map(files.map(({ path, document }) => [path, document]))
  const rules = {
    isSame: (file: ContentDocument, row: RowDocument) => isSame(file, row, options),
    isUntouchedSeed: (row: RowDocument, path: string) =>
      row.isBuiltin && seeds.get(path)?.sha256 === row.sha256,
  }
  const paths = new Set([...documents.keys(), ...rows.keys(), ...bases.keys()])
  return [...paths]
    .filter((path) => !documents.has(path) || documents.get(path))
    .sort(compareText)
    .map((path) => {
      const sides = { file: documents.get(path), row: rows.get(path), base: bases.get(path) }
      const isUntouchedSeed = (row: RowDocument) => rules.isUntouchedSeed(row, path)
      return {
        path,
        ...sides,
        decision: decide(sides, { ...rules, isUntouchedSeed, prefer: preferenceAt(path, options) }),
      }
    })
}

/** Returns the documents that exist after the plans are carried out; for conflicts, those of the given side. */
export function worldAfter(
  plans: readonly PathPlan[],
  { conflicts }: { conflicts: 'file' | 'row' },
): ContentDocument[] {
  return plans.flatMap(({ decision, file, merged, row }) => {
    if (decision === 'remove') return []
    if (merged) return merged
    const usesFile =
      decision === 'write' || decision === 'agree' || (decision === 'conflict' && conflicts === 'file')
    return (usesFile ? file : undefined) ?? row?.document ?? []
  })
}

/** Returns whether a plan leaves file and row unchanged for now. */
export function isHeld({ decision }: PathPlan): boolean {
  return decision === 'conflict' || decision === 'wait'
}

/** Returns whether the row stays as a person left it in the admin. */
export function isKept({ decision }: PathPlan): boolean {
  return decision === 'keep' || decision === 'prefer_row'
}

function isSame(
  file: ContentDocument,
  row: RowDocument,
  options: { environment: Environment; secretBox: SecretBox },
): boolean {
  if (file.kind !== 'form') return canonicalJson(file) === canonicalJson(row.document)
  const document = row.document as FormDocument
  return isSameForm(file, { document, webhooks: row.webhooks ?? [] }, options)
}
