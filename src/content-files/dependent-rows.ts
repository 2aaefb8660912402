import { LOCATION_SERVICES } from '../entries/field-meaning.ts'
import { walkTerms } from '../taxonomies/taxonomy-definition.ts'
import type { ContentDocument, EntryDocument } from './document.ts'
import type { PathPlan } from './plan-paths.ts'
import type { Preference } from './plan-sync.ts'

const LISTED = 5

/**
 * The plans, with a conflict where a file's change would delete entries along with its own row that stand only in the
 * database, or as somebody left them in the admin: the places of a service or a term, the entries of a type.
 */
export function protectDependents(
  plans: readonly PathPlan[],
  { prefer }: { prefer?: Preference | undefined },
): PathPlan[] {
  const kept = plans.flatMap((plan) => keptEntry(plan) ?? [])
  if (kept.length === 0 || prefer === 'file') return [...plans]
  return plans.map((plan) => {
    const lost = kept.filter((entry) => isLostWith(plan, entry))
    if (lost.length === 0) return plan
    if (prefer === 'database') return { ...plan, decision: plan.file ? 'prefer_row' : 'forget' }
    return { ...plan, decision: 'conflict', reason: describeLoss(lost) }
  })
}

function keptEntry({ decision, row }: PathPlan): EntryDocument | undefined {
  const isKept = decision === 'keep' || decision === 'prefer_row' || decision === 'forget'
  return isKept && row?.document.kind === 'entry' ? row.document : undefined
}

function isLostWith({ decision, file, row }: PathPlan, entry: EntryDocument): boolean {
  if (decision === 'remove' && row) return isPartOf(row.document, entry)
  if (decision !== 'write' || file?.kind !== 'taxonomy') return false
  return placeOf(entry, file.slug) !== undefined && !hasTerm(file, placeOf(entry, file.slug))
}

function isPartOf(removed: ContentDocument, entry: EntryDocument): boolean {
  if (removed.kind === 'content_type') return removed.slug === entry.type
  if (removed.kind !== 'entry' || removed.type !== 'services') return false
  return entry.type === LOCATION_SERVICES && entry.slug.split('/')[0] === removed.slug
}

function placeOf({ type, slug }: EntryDocument, taxonomy: string): string | undefined {
  return type === LOCATION_SERVICES && taxonomy === 'locations' ? slug.split('/')[1] : undefined
}

function hasTerm({ definition }: Extract<ContentDocument, { kind: 'taxonomy' }>, slug: string | undefined) {
  return [...walkTerms(definition.terms)].some(({ term }) => term.slug === slug)
}

function describeLoss(lost: readonly EntryDocument[]): string {
  const names = lost.slice(0, LISTED).map(({ type, slug }) => `${type}/${slug}`)
  const rest = lost.length > LISTED ? ` and ${lost.length - LISTED} more` : ''
  return `the file's change would delete what was edited in the admin: ${names.join(', ')}${rest}`
}
