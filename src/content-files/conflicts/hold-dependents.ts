import { locationOfPattern } from '../../entries/offers/offered-in.ts'
import type { ContentTypeDefinition } from '../../entries/types/content-type-definition.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { listPlaceholders } from '../../entries/types/route-pattern.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import { describeFileFault } from '../../messages/files/mistakes.ts'
import { type ContentDocument, type EntryDocument, pathOfDocument } from '../document.ts'
import { checkReferences } from '../parsing/check-references.ts'
import type { Mistake } from '../parsing/mistake.ts'
import { parseEntry } from '../parsing/parse-entry.ts'
import { parseSite, parseYamlFile } from '../parsing/parse-yaml-file.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'
import type { Reference } from '../parsing/reference.ts'
import { isHeld, type PathPlan, worldAfter } from '../syncing/plan-paths.ts'
import { writeDocument } from '../write-document.ts'

interface Held {
  files: readonly ParsedFile[]
  /** Names of the files of `pictures/`. */
  pictures: ReadonlySet<string>
  /** Content types as they are stored. */
  types: readonly ContentType[]
}

const CHANGES: readonly string[] = ['write', 'merge', 'remove']

/**
 * Returns the plans, with `wait` for everything that depends on a conflict: files that refer to something defined
 * only in a conflicting file, and files whose change would remove what the conflicting row refers to. All other
 * files are synced.
 */
export function holdDependents(plans: readonly PathPlan[], held: Held): PathPlan[] {
  let current = [...plans]
  for (;;) {
    const waiting = current.some(isHeld) ? findWaiting(current, held) : new Map<string, string>()
    if (waiting.size === 0) return current
    current = current.map((plan) => {
      const reason = waiting.get(plan.path)
      return reason === undefined ? plan : waitingPlan(plan, reason)
    })
  }
}

/** The plan of a file that isn't synced now. */
export function waitingPlan({ merged: _, ...plan }: PathPlan, reason: string): PathPlan {
  return { ...plan, decision: 'wait', reason }
}

// By path, with the reason.
function findWaiting(plans: readonly PathPlan[], held: Held): Map<string, string> {
  const byPath = new Map(plans.map((plan) => [plan.path, plan]))
  return new Map([...findBlocked(plans, byPath, held), ...findNeeded(plans, byPath, held)])
}

type PlansByPath = ReadonlyMap<string, PathPlan>

// Files that refer to something defined only in a conflicting file.
function findBlocked(
  plans: readonly PathPlan[],
  byPath: PlansByPath,
  { files, pictures }: Held,
): Map<string, string> {
  const blocked = new Map<string, string>()
  const changed = files.filter(({ path }) => isChange(byPath.get(path)))
  const documents = worldAfter(plans, { conflicts: 'row' })
  const problems = checkReferences(changed, documents, { mistaken: new Set(), pictures })
  const byFile = Map.groupBy(problems, ({ path }) => path)
  for (const { path, references } of changed) {
    const [problem] = byFile.get(path) ?? []
    const type = misfit(byPath.get(path), byPath)
    if (problem) {
      const cause = references.flatMap(definingPath).find((one) => isHeldPath(one, byPath))
      blocked.set(
        path,
        conflictReasons.behind(cause ?? conflictReasons.anotherConflict, describeFileFault(problem.fault)),
      )
    } else if (type) blocked.set(path, conflictReasons.type(type))
  }
  return blocked
}

// Files whose change would remove what a conflicting row refers to.
function findNeeded(
  plans: readonly PathPlan[],
  byPath: PlansByPath,
  { pictures, types }: Held,
): Map<string, string> {
  const needed = new Map<string, string>()
  const rows = heldRows(plans, types)
  const before = plans.flatMap(({ row }) => row?.document ?? [])
  const known = { mistaken: new Set<string>(), pictures }
  const problemsIn = (row: ParsedFile, documents: readonly ContentDocument[]) =>
    checkReferences([row], documents, known).map(keyOf)
  const after = worldAfter(plans, { conflicts: 'row' })
  for (const row of rows) {
    const wasWrong = new Set(problemsIn(row, before))
    if (problemsIn(row, after).every((problem) => wasWrong.has(problem))) continue
    for (const path of row.references.flatMap(definingPath).filter((one) => isChange(byPath.get(one))))
      needed.set(path, conflictReasons.needed(row.path))
  }
  return needed
}

// Same problem on the same line, even if the list of choices differs.
function keyOf({ line, fault: { code, params } }: Mistake): string {
  return JSON.stringify([line, code, { ...params, choices: undefined }])
}

/** Returns whether a plan changes a row. */
export function isChange(plan: PathPlan | undefined): boolean {
  return plan !== undefined && CHANGES.includes(plan.decision)
}

function isHeldPath(path: string, plans: PlansByPath): boolean {
  const plan = plans.get(path)
  return plan !== undefined && isHeld(plan)
}

function heldRows(plans: readonly PathPlan[], types: readonly ContentType[]): ParsedFile[] {
  return plans.flatMap((plan) => (isHeld(plan) && plan.row ? parseRow(plan.row.document, types) : []))
}

// The type stays as in its row.
function misfit(plan: PathPlan | undefined, plans: PlansByPath): string | undefined {
  const file = plan?.file
  if (file?.kind !== 'entry') return undefined
  const path = `content_types/${file.type}.yaml`
  const type = plans.get(path)
  if (!type || !isHeld(type) || !isTypeDocument(type.row?.document) || !isTypeDocument(type.file))
    return undefined
  return fitsType(file, { stored: type.row.document.definition, read: type.file.definition })
    ? undefined
    : path
}

function isTypeDocument(document: ContentDocument | undefined) {
  return document?.kind === 'content_type'
}

/** Returns the file that defines the target of a reference. */
function definingPath(reference: Reference): string[] {
  switch (reference.to) {
    case 'form':
      return [`forms/${reference.slug}.yaml`]
    case 'content_type':
      return [`content_types/${reference.slug}.yaml`]
    case 'entry':
      return [`${reference.type}/${reference.slug}.md`]
    case 'picture':
      return [`pictures/${reference.name}`]
    case 'term':
      return [`taxonomies/${reference.taxonomy}.yaml`]
    case 'locations':
      return locationOfPattern(reference.pattern) === undefined ? [] : ['taxonomies/locations.yaml']
    default:
      return []
  }
}

/** Returns true if an entry read with one definition of its type is also valid with the stored one. */
function fitsType(
  { fields }: EntryDocument,
  { stored, read }: { stored: ContentTypeDefinition; read: ContentTypeDefinition },
): boolean {
  const [known, given] = [stored, read].map(
    ({ schema }) => new Map(schema.fields.map((field) => [field.key, canonicalJson(field)])),
  )
  const hasSameFields = Object.keys(fields).every(
    (key) => known?.get(key) === (given?.get(key) ?? known?.get(key)),
  )
  const hasKnownFields = Object.keys(fields).every((key) => known?.has(key))
  const hasRequired = stored.schema.fields.every(
    ({ key, required }) => !required || Object.hasOwn(fields, key),
  )
  return hasKnownFields && hasSameFields && hasRequired && countParts(stored) === countParts(read)
}

function countParts({ route_pattern: pattern }: ContentTypeDefinition): number {
  return pattern === null ? 1 : listPlaceholders(pattern).length
}

/**
 * Converts a row to its file's form to find its references. Forms and content types don't refer to anything that
 * must exist.
 */
function parseRow(document: ContentDocument, types: readonly ContentType[]): ParsedFile[] {
  const file = { path: pathOfDocument(document), text: writeDocument(document) }
  switch (document.kind) {
    case 'site':
      return [parseSite(file)]
    case 'taxonomy':
      return [parseYamlFile(file, 'taxonomies', { environment: {}, stored: types })]
    case 'entry': {
      const type = types.find(({ slug }) => slug === document.type)
      return type ? [parseEntry(file, type)] : []
    }
    default:
      return []
  }
}
