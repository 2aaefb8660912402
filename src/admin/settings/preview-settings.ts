import type { APIContext } from 'astro'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import { previewHome } from '../../site/preview-home.ts'
import { type SiteSettings, siteSettings } from '../../site/settings/site-settings.ts'
import { themeStylesheet } from '../../site/theme/theme-stylesheet.ts'
import { showPage } from '../editing/preview/show-page.ts'
import { appOf } from '../kit/page-context.ts'
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

// The site has its file only after a publish.
function withStylesheet(html: string, { theme }: SiteSettings): string {
  const address = `/admin/settings/theme.css?theme=${encodeURIComponent(JSON.stringify(theme))}`
  return html.replace(`"${themeStylesheet(theme).path}"`, `"${address}"`)
}
