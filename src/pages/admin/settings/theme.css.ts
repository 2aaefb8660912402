import type { APIRoute } from 'astro'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { themeSettings } from '#src/site/theme/theme-settings.ts'
import { themeStylesheet } from '#src/site/theme/theme-stylesheet.ts'

/** Returns the stylesheet of a theme that isn't on the site, for previews of the settings. */
export const GET: APIRoute = (context) => {
  getAdministrator(context)
  const { data } = themeSettings.safeParse(parse(context.url.searchParams.get('theme') ?? ''))
  if (!data) return new Response(null, { status: 404 })
  return new Response(themeStylesheet(data).css, { headers: { 'content-type': 'text/css' } })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
