import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import type { ContentDocument, EntryDocument } from '../document.ts'
import type { PathPlan } from './plan-paths.ts'
import { type Preferring, preferenceAt } from './plan-sync.ts'

const LISTED = 5

type Named = Pick<EntryDocument, 'type' | 'slug'>

/** An entry with a draft, and the names of the pictures that the draft uses. */
export interface DraftDocument {
  type: string
  slug: string
  pictures: ReadonlySet<string>
}

/**
 * Returns the plans, with a conflict where a file's change would also delete entries that exist only in the database
 * or were edited in the admin (the places of a service or term, the entries of a type), or a picture that these or
 * drafts use.
 */
export function protectDependents(
  plans: readonly PathPlan[],
  preferring: Preferring,
  drafts: readonly DraftDocument[],
): PathPlan[] {
  const kept = plans.flatMap((plan) => keptEntry(plan) ?? [])
  const removed = new Set(plans.filter(({ decision }) => decision === 'remove').map(({ path }) => path))
  const keptDrafts = drafts.filter(({ type, slug }) => !removed.has(`${type}/${slug}.md`))
  if (kept.length + keptDrafts.length === 0) return [...plans]
  return plans.map((plan) => {
    const prefer = preferenceAt(plan.path, preferring)
    if (prefer === 'file') return plan
    const lost = lostWith(plan, kept, keptDrafts)
    if (lost.length === 0) return plan
    if (prefer === 'database') return { ...plan, decision: plan.file ? 'prefer_row' : 'forget' }
    return { ...plan, decision: 'conflict', reason: describeLoss(plan, lost) }
  })
}

function keptEntry({ decision, row }: PathPlan): EntryDocument | undefined {
  const isKept = decision === 'keep' || decision === 'prefer_row' || decision === 'forget'
  return isKept && row?.document.kind === 'entry' ? row.document : undefined
}

// Most plans delete nothing, and there may be 100,000 of both.
function lostWith(
  { decision, file, row }: PathPlan,
  kept: readonly EntryDocument[],
  drafts: readonly DraftDocument[],
): Named[] {
  if (decision === 'remove' && row)
    return row.document.kind === 'picture'
      ? usersOf(row.document.name, kept, drafts)
      : partsOf(row.document, kept)
  if (decision !== 'write' || file?.kind !== 'taxonomy' || file.slug !== 'locations') return []
  const places = new Set([...walkTerms(file.definition.terms)].map(({ term }) => term.slug))
  return kept.filter(({ type, slug }) => rulesOf(type).inherits && !places.has(slug.split('/')[1] ?? ''))
}

function partsOf(removed: ContentDocument, kept: readonly EntryDocument[]): EntryDocument[] {
  if (removed.kind === 'content_type') return kept.filter(({ type }) => type === removed.slug)
  if (removed.kind !== 'entry') return []
  const inheritsIt = ({ type, slug }: EntryDocument) =>
    rulesOf(type).inherits?.of === removed.type && slug.split('/')[0] === removed.slug
  return kept.filter(inheritsIt)
}

function usersOf(picture: string, kept: readonly EntryDocument[], drafts: readonly DraftDocument[]): Named[] {
  const entries = kept.filter(
    ({ body, fields }) => namesInText(body).has(picture) || namesInValues(fields).has(picture),
  )
  const others = drafts.filter(
    ({ type, slug, pictures }) =>
      pictures.has(picture) && !entries.some((entry) => entry.type === type && entry.slug === slug),
  )
  return [...entries, ...others]
}

function describeLoss({ row }: PathPlan, lost: readonly Named[]): string {
  const names = lost.slice(0, LISTED).map(({ type, slug }) => `${type}/${slug}`)
  const [shown, hidden] = [names.join(', '), lost.length - names.length]
  const all = hidden > 0 ? conflictReasons.andMore(shown, hidden) : shown
  return row?.document.kind === 'picture' ? conflictReasons.pictureLoss(all) : conflictReasons.loss(all)
}
