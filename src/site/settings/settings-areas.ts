import { compareSettings } from './compare-settings.ts'
import { UNSHOWN_SETTINGS } from './site-settings.ts'

/** The parts of the settings that have a screen each. */
export type SettingsArea = 'settings' | 'home'

// The part that a setting belongs to, by its path in `content/site.yaml`.
function areaOf(path: string): SettingsArea {
  return path.startsWith('home.') || path === 'sections.home' ? 'home' : 'settings'
}

const UNSHOWN = new Set<string>(UNSHOWN_SETTINGS)

/** Lists the parts in which pages differ between two versions of the settings. */
export function listChangedAreas(before: unknown, after: unknown): SettingsArea[] {
  const shown = compareSettings(before, after).filter(({ path }) => !UNSHOWN.has(path))
  return [...new Set(shown.map(({ path }) => areaOf(path)))].toSorted().reverse()
}
