import { compareSettings, type SettingChange } from './compare-settings.ts'
import type { SiteSettings } from './site-settings.ts'

interface Sides {
  saved: SiteSettings
  /** The settings that the draft was based on. */
  base: unknown
  draft: unknown
}

/** The saved settings with the changes of a draft. */
export interface MergedDraft {
  settings: SiteSettings
  /** Paths of values that were also saved after the draft, such as `home.title`. */
  replaced: string[]
}

/**
 * Returns the saved settings with what a draft changes. A draft changes the values in which it differs from those it
 * was based on, so that it never undoes another setting saved since.
 */
export function mergeDraft({ saved, base, draft }: Sides): MergedDraft {
  const drafted = compareSettings(base, draft)
  const settings = withChanges(saved, drafted)
  const savedSince = new Set(compareSettings(base, saved).map(({ path }) => path))
  const differing = new Set(compareSettings(saved, settings).map(({ path }) => path))
  const replaced = drafted
    .map(({ path }) => path)
    .filter((path) => savedSince.has(path) && differing.has(path))
  return { settings, replaced }
}

/** Returns settings with the later values of these changes. */
export function withChanges(settings: SiteSettings, changes: readonly SettingChange[]): SiteSettings {
  const changed = structuredClone(settings)
  for (const { path, after } of changes) put(changed, path.split('.'), after)
  return changed
}

function put(target: object, [key = '', ...rest]: string[], value: unknown): void {
  const group = target as Record<string, unknown>
  if (rest.length > 0) {
    group[key] ??= {}
    put(group[key] as object, rest, value)
  } else if (value === undefined) delete group[key]
  else group[key] = value
}
