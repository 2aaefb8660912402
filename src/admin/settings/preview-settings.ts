import type { APIContext } from 'astro'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { previewHome } from '../../site/preview-home.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import { type SiteSettings, siteSettings } from '../../site/settings/site-settings.ts'
import { themeStylesheet } from '../../site/theme/theme-stylesheet.ts'
import { findVersion } from '../../versions/version-store.ts'
import { showPage } from '../editing/preview/show-page.ts'
import { appOf, notFound, readId } from '../kit/page-context.ts'
import { toMistake } from './setting-mistakes.ts'

/** Responds with the home page as these settings describe it, saved or not; with their problems if they are invalid. */
export async function showSettings(
  context: Pick<APIContext, 'locals' | 'rewrite' | 'url'>,
  given: unknown,
): Promise<Response> {
  const { db, config } = appOf(context)
  const { data: settings, error } = siteSettings.safeParse(given)
  if (!settings) {
    const problems = (error?.issues ?? []).map((issue) => toMistake(problemOf(issue)).message)
    return new Response(`${problems.join(' ')}\n`, { status: 422 })
  }
  const page = await previewHome(db, settings, { siteUrl: config.siteUrl, now: new Date() })
  return showPage(context, page, (html) => withStylesheet(html, settings))
}

/** Responds with the home page with the version of the settings in the URL, with the current content around it. */
export async function showSettingsVersion(
  context: Pick<APIContext, 'locals' | 'params' | 'request' | 'rewrite' | 'url'>,
): Promise<Response> {
  const found = await findVersion(appOf(context).db, SETTINGS_SUBJECT, readId(context.params.version))
  return found ? showSettings(context, found.content) : notFound(context)
}

// The site has its file only after a publish.
function withStylesheet(html: string, { theme }: SiteSettings): string {
  const address = `/admin/settings/theme.css?theme=${encodeURIComponent(JSON.stringify(theme))}`
  return html.replace(`"${themeStylesheet(theme).path}"`, `"${address}"`)
}
