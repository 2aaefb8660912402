import { settingTexts } from './setting-texts.ts'
import { settingsPage } from './settings.ts'
import { stageTexts } from './stages.ts'

const { home, look } = settingsPage.sections

/** Settings with several parts. */
const GROUPS: Readonly<Record<string, string>> = {
  home: home.title,
  sections: 'Section order',
  theme: look.title,
}

/** Settings that the screen doesn't name by their key. */
const OTHERS: Readonly<Record<string, string>> = {
  SITE_URL: 'Site address',
  stages: stageTexts.title,
  tags: settingsPage.sections.measuring.title,
}

const labelOf = (path: string) => settingTexts[path]?.label ?? GROUPS[path] ?? OTHERS[path] ?? path

/**
 * Returns the name of a setting from its path in `content/site.yaml`: `Phone`, `Section order: Home page`. A setting of
 * the site's own has its own label.
 */
export function settingName(path: string, label = labelOf(path)): string {
  const [key = ''] = path.split('.')
  return path !== key && GROUPS[key] ? `${GROUPS[key]}: ${label}` : label
}
