import type { Db } from '../../db/schema.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'
import { themeStylesheet } from '../../site/theme/theme-stylesheet.ts'

/** Serves the theme's stylesheet for the current settings: pages made on demand refer to it before it is published. */
export function themeAssets(db: Db): (path: string) => Promise<Buffer | undefined> {
  return async (path) => {
    if (!path.startsWith('/_astro/theme-')) return undefined
    const theme = themeStylesheet((await findSiteSettings(db)).theme)
    return theme.path === path ? Buffer.from(theme.css) : undefined
  }
}
