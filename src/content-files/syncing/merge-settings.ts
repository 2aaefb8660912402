import { canonicalJson, sha256Hex } from '../../lib/canonical-json.ts'
import { conflictReasons } from '../../messages/files/conflicts.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import type { PathPlan } from './plan-paths.ts'
import { type Preferring, preferenceAt } from './plan-sync.ts'

/**
 * Returns the plans, with `site.yaml` compared key by key if both it and the settings in the admin changed: each key
 * comes from the side that changed it. A key changed on both sides is a conflict, unless `prefer` or the choice of
 * `fields` resolves it.
 */
export function mergeSettings(plans: readonly PathPlan[], preferring: Preferring): PathPlan[] {
  return plans.map((plan) => mergePlan(plan, preferring))
}

function mergePlan(plan: PathPlan, preferring: Preferring): PathPlan {
  const prefer = preferenceAt(plan.path, preferring)
  const chosen = preferring.only === plan.path ? preferring.fields : undefined
  const sides = threeSettings(plan) ?? (chosen && twoSettings(plan))
  if (!sides) return plan
  const { file, row, base } = sides
  const keys = [...new Set([...Object.keys(file), ...Object.keys(row)])] as (keyof SiteSettings)[]
  const differs = (one: Settings, other: Settings) => (key: keyof SiteSettings) =>
    canonicalJson(one[key] ?? null) !== canonicalJson(other[key] ?? null)
  const changedInAdmin = base ? keys.filter(differs(row, base)) : keys
  const both = changedInAdmin.filter(base ? differs(file, base) : () => true).filter(differs(file, row))
  if (both.length > 0 && !prefer && !chosen) return { ...plan, decision: 'conflict', reason: describe(both) }
  const fromFile: readonly string[] = chosen ?? (prefer === 'file' ? both : [])
  const fromRow = changedInAdmin.filter((key) => !(both.includes(key) && fromFile.includes(key)))
  const settings = { ...file, ...Object.fromEntries(fromRow.map((key) => [key, row[key]])) } as SiteSettings
  const { reason: _, ...rest } = plan
  return { ...rest, decision: 'merge', merged: { kind: 'site', settings } }
}

type Settings = Partial<SiteSettings>

// Only if the row once equaled the file, because then the base holds for both.
function threeSettings({ decision, file, row, base }: PathPlan) {
  if (decision === 'agree' || decision === 'keep' || !base?.document) return undefined
  if (file?.kind !== 'site' || row?.document.kind !== 'site' || base.document.kind !== 'site')
    return undefined
  const wasAsFile = base.rowSha256 === sha256Hex(canonicalJson(base.document))
  if (!wasAsFile || base.rowSha256 === row.sha256) return undefined
  return { file: file.settings, row: row.document.settings, base: base.document.settings }
}

// Without a common base, a person chooses among all differences.
function twoSettings({ decision, file, row }: PathPlan) {
  if (decision !== 'conflict' || file?.kind !== 'site' || row?.document.kind !== 'site') return undefined
  return { file: file.settings, row: row.document.settings, base: undefined }
}

function describe(keys: readonly string[]): string {
  return conflictReasons.settings(keys.join(', '))
}
