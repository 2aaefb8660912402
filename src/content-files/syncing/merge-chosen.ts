import { TEXT } from '../conflicts/compare-versions.ts'
import type { EntryDocument } from '../document.ts'
import type { PathPlan } from './plan-paths.ts'
import type { Preferring } from './plan-sync.ts'

const OWN = ['title', 'status', 'publish_at', 'unpublish_at', 'redirect_from', 'terms'] as const

/**
 * Returns the plans, with a merge for the conflict that a person resolves field by field: the chosen fields come
 * from the file, all others from the row.
 */
export function mergeChosen(plans: readonly PathPlan[], { only, fields }: Preferring): PathPlan[] {
  if (only === undefined || fields === undefined) return [...plans]
  return plans.map((plan) => {
    const { path, decision, file, row } = plan
    if (path !== only || decision !== 'conflict') return plan
    if (file?.kind !== 'entry' || row?.document.kind !== 'entry') return plan
    const { reason: _, ...rest } = plan
    return { ...rest, decision: 'merge', merged: mergeEntry(row.document, file, new Set(fields)) }
  })
}

function mergeEntry(row: EntryDocument, file: EntryDocument, chosen: ReadonlySet<string>): EntryDocument {
  const isOwn = (key: string) => key === TEXT || OWN.some((name) => name === key)
  const keys = [...Object.keys(row.fields), ...Object.keys(file.fields)]
  const values = [...new Set(keys)].flatMap((key) => {
    const value = (chosen.has(key) && !isOwn(key) ? file : row).fields[key]
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
