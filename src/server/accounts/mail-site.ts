import type { Db } from '../../db/schema.ts'
import type { MailSite } from '../../messages/mail/accounts.ts'
import { DEFAULT_SITE_SETTINGS } from '../../site/settings/site-settings.ts'
import { findSiteSettings } from '../../site/settings/site-settings-store.ts'

/** Returns what emails about accounts call the site: its business with its host, or the host until it has a name. */
export async function findMailSite(db: Db, { siteUrl }: { siteUrl: string }): Promise<MailSite> {
  const { host } = new URL(siteUrl)
  const { name } = await findSiteSettings(db)
  const isNamed = name !== DEFAULT_SITE_SETTINGS.name
  return isNamed ? { business: name, site: `${name} (${host})` } : { business: host, site: host }
}
