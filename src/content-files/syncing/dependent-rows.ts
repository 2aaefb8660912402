import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import { namesInText, namesInValues } from '../../pictures/named-pictures.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import type { ContentDocument, EntryDocument } from '../document.ts'
import type { PathPlan } from './plan-paths.ts'
import { type Preferring, preferenceAt } from './plan-sync.ts'

const LISTED = 5

/** An entry with a draft, and the names of the pictures that the draft uses. */
export interface DraftDocument {
  type: string
  slug: string
  pictures: ReadonlySet<string>
}

/** Content that stays in the admin as it is. */
interface Kept {
  entries: readonly EntryDocument[]
  settings: SiteSettings | undefined
  drafts: readonly DraftDocument[]
}

/**
 * Returns the plans, with a conflict where a file's change would also delete entries that exist only in the database
 * or were edited in the admin (the places of a service or term, the entries of a type), a form that these or the
 * settings name, or a picture that these, the settings, or drafts use.
 */
export function protectDependents(
  plans: readonly PathPlan[],
  preferring: Preferring,
  drafts: readonly DraftDocument[],
): PathPlan[] {
  const documents = plans.flatMap((plan) => keptDocument(plan) ?? [])
  const removed = new Set(plans.filter(({ decision }) => decision === 'remove').map(({ path }) => path))
  const kept: Kept = {
    entries: documents.filter((document) => document.kind === 'entry'),
    settings: documents.find((document) => document.kind === 'site')?.settings,
    drafts: drafts.filter(({ type, slug }) => !removed.has(`${type}/${slug}.md`)),
  }
  return plans.map((plan) => {
    const prefer = preferenceAt(plan.path, preferring)
    if (prefer === 'file') return plan
    const lost = lostWith(plan, kept)
    if (lost.length === 0) return plan
    if (prefer === 'database') return { ...plan, decision: plan.file ? 'prefer_row' : 'forget' }
    return { ...plan, decision: 'conflict', reason: describeLoss(plan, lost) }
  })
}

function keptDocument({ decision, row }: PathPlan): ContentDocument | undefined {
  const isKept = decision === 'keep' || decision === 'prefer_row' || decision === 'forget'
  return isKept ? row?.document : undefined
}

// Most plans delete nothing, and there may be 100,000 of both.
function lostWith({ decision, file, row }: PathPlan, kept: Kept): string[] {
  if (decision === 'remove' && row) return usersOf(row.document, kept)
  if (decision !== 'write' || file?.kind !== 'taxonomy' || file.slug !== 'locations') return []
  const places = new Set([...walkTerms(file.definition.terms)].map(({ term }) => term.slug))
  const isGone = ({ type, slug }: EntryDocument) =>
    rulesOf(type).inherits && !places.has(slug.split('/')[1] ?? '')
  return kept.entries.filter(isGone).map(nameOf)
}

function usersOf(removed: ContentDocument, { entries, settings, drafts }: Kept): string[] {
  switch (removed.kind) {
    case 'content_type':
      return entries.filter(({ type }) => type === removed.slug).map(nameOf)
    case 'entry':
      return entries.filter((entry) => isPartOf(entry, removed)).map(nameOf)
    case 'form': {
      const named = entries.filter(({ fields }) => fields.form === removed.slug).map(nameOf)
      return settings?.default_form === removed.slug ? ['site.yaml', ...named] : named
    }
    case 'picture': {
      const ofSettings = namesInValues(settings).has(removed.name) ? ['site.yaml'] : []
      const named = [...usersOfPicture(removed.name, entries), ...draftsWith(removed.name, drafts)]
      return [...new Set([...ofSettings, ...named])]
    }
    default:
      return []
  }
}

function isPartOf({ type, slug }: EntryDocument, removed: EntryDocument): boolean {
  return rulesOf(type).inherits?.of === removed.type && slug.split('/')[0] === removed.slug
}

function usersOfPicture(picture: string, entries: readonly EntryDocument[]): string[] {
  const uses = ({ body, fields }: EntryDocument) =>
    namesInText(body).has(picture) || namesInValues(fields).has(picture)
  return entries.filter(uses).map(nameOf)
}

function draftsWith(picture: string, drafts: readonly DraftDocument[]): string[] {
  return drafts.filter(({ pictures }) => pictures.has(picture)).map(nameOf)
}

function nameOf({ type, slug }: Pick<EntryDocument, 'type' | 'slug'>): string {
  return `${type}/${slug}`
}

const REASONS: Partial<Record<ContentDocument['kind'], (names: string) => string>> = {
  form: conflictReasons.formLoss,
  picture: conflictReasons.pictureLoss,
}

function describeLoss({ row }: PathPlan, lost: readonly string[]): string {
  const [shown, hidden] = [lost.slice(0, LISTED).join(', '), Math.max(lost.length - LISTED, 0)]
  const describe = REASONS[row?.document.kind ?? 'entry'] ?? conflictReasons.loss
  return describe(hidden > 0 ? conflictReasons.andMore(shown, hidden) : shown)
}
