import type { Db } from '../../db/schema.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import type { MailLook } from '../../notifications/mail-look.ts'
import { listPicturesByName } from '../../pictures/picture-store.ts'
import { iconPaths, iconSource } from '../pictures/site-icon.ts'
import { resolveTheme } from '../theme/looks.ts'
import { toPhoneView } from './phone-view.ts'
import type { SiteSettings } from './site-settings.ts'
import { findSiteSettings } from './site-settings-store.ts'

/** Returns the look of the site's emails. */
export async function findMailLook(db: Db, { siteUrl }: { siteUrl: string }): Promise<MailLook> {
  const settings = await findSiteSettings(db)
  const { name, theme, phone, email, address } = settings
  const { light, dark } = resolveTheme(theme)
  return {
    ...{ siteName: name, siteUrl, light, dark, email, address },
    icon: await findIcon(db, settings, { siteUrl }),
    phone: phone === null ? null : toPhoneView(phone, localeOf(settings).country),
  }
}

// The email draws a letter itself: it needs no picture, which mail programs may block.
async function findIcon(db: Db, settings: SiteSettings, { siteUrl }: { siteUrl: string }) {
  const names = [settings.icon, settings.logo].filter((name) => name !== undefined)
  if (names.length === 0) return null
  const source = iconSource(settings, await listPicturesByName(db, names))
  return source?.kind === 'picture' ? siteUrl + iconPaths(source).touch : null
}
