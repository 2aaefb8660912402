import { compareSettings } from './compare-settings.ts'

/** The parts of the settings that have a screen each. */
export type SettingsArea = 'settings' | 'home'

// The part that a setting belongs to, by its path in `content/site.yaml`.
function areaOf(path: string): SettingsArea {
  return path.startsWith('home.') || path === 'sections.home' ? 'home' : 'settings'
}

/** Lists the parts in which two versions of the settings differ. */
export function listChangedAreas(before: unknown, after: unknown): SettingsArea[] {
  return [...new Set(compareSettings(before, after).map(({ path }) => areaOf(path)))].toSorted().reverse()
}
