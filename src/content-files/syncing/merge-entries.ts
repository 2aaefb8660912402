import { changedIn, entryKeys, isOwn, OWN, type Sides, TEXT } from '../conflicts/changed-fields.ts'
import type { EntryDocument } from '../document.ts'
import type { PathPlan } from './plan-paths.ts'
import { type Preferring, preferenceAt } from './plan-sync.ts'

/**
 * Returns the plans, with entries merged field by field where a person or `prefer` resolves a conflict. A field that
 * changed on one side only comes from that side; of the others, the chosen ones come from the file, or all of them
 * with `prefer: 'file'`.
 */
export function mergeEntries(plans: readonly PathPlan[], preferring: Preferring): PathPlan[] {
  return plans.map((plan) => {
    const { file, row, base } = plan
    if (file?.kind !== 'entry' || row?.document.kind !== 'entry') return plan
    const sides = { file, row: row.document, base: base?.document }
    const chosen = chosenFields(plan, sides, preferring)
    if (!chosen) return plan
    const { reason: _, ...rest } = plan
    return { ...rest, decision: 'merge', merged: mergeEntry(row.document, file, new Set(chosen)) }
  })
}

/** Returns the fields that come from the file; undefined if there is nothing to merge. */
function chosenFields(
  { path, decision, row, base }: PathPlan,
  sides: Sides,
  preferring: Preferring,
): string[] | undefined {
  const { only, fields } = preferring
  const keys = entryKeys(sides)
  const isChangedIn = (side: 'admin' | 'file') => (key: string) => changedIn(key, sides) === side
  if (decision === 'conflict' && path === only && fields !== undefined)
    return [...fields, ...keys.filter(isChangedIn('file'))]
  if (decision !== 'write' || preferenceAt(path, preferring) !== 'file') return undefined
  if (row?.sha256 === base?.rowSha256 || !keys.some(isChangedIn('admin'))) return undefined
  return keys.filter((key) => !isChangedIn('admin')(key))
}

function mergeEntry(row: EntryDocument, file: EntryDocument, chosen: ReadonlySet<string>): EntryDocument {
  const keys = [...Object.keys(row.fields), ...Object.keys(file.fields)]
  const values = [...new Set(keys)].flatMap((key) => {
    const value = (chosen.has(key) && key !== TEXT && !isOwn(key) ? file : row).fields[key]
    return value === undefined ? [] : [[key, value]]
  })
  const own = OWN.filter((key) => chosen.has(key)).map((key) => [key, file[key]])
  return {
    ...row,
    ...Object.fromEntries(own),
    ...(chosen.has(TEXT) && { body: file.body }),
    fields: Object.fromEntries(values),
  }
}
