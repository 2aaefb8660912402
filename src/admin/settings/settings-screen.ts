import { homePage } from '../../messages/admin/settings/home-page.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import type { ShownSetting } from '../../site/settings/setting-field.ts'
import type { SettingsArea } from '../../site/settings/settings-areas.ts'
import { SHOWN_SETTINGS } from '../../site/settings/site-settings.ts'

/** A screen that edits some of the site's settings. All screens share one draft and one list of versions. */
export interface SettingsScreen {
  href: string
  area: SettingsArea
  texts: {
    title: string
    lead: string
    saved: string
    /** Label of the links to the sections. */
    jump: string
    /** Its sections by their key, in order. */
    sections: Readonly<Record<string, { title: string; lead: string }>>
  }
}

export const SETTINGS_SCREEN: SettingsScreen = {
  ...{ href: '/admin/settings', area: 'settings', texts: settingsPage },
}
export const HOME_SCREEN: SettingsScreen = { href: '/admin/home', area: 'home', texts: homePage }

/** Lists the settings of a screen, in order. */
export function settingsOf({ texts }: SettingsScreen): ShownSetting[] {
  return SHOWN_SETTINGS.filter(
    ({ section }) => section !== undefined && Object.hasOwn(texts.sections, section),
  )
}
