import { createApp } from 'astro/app/entrypoint'
import type { Page } from '../site/page.ts'

const app = createApp({ streaming: false })
const pageRoute = app.manifest.routes.find(({ routeData }) => routeData.route === '/[...path]')?.routeData

/**
 * The page's HTML: a pure function of its view. Throws when the template throws, so that a broken page never
 * reaches a release.
 */
export async function renderPage(page: Page): Promise<string> {
  if (!pageRoute) throw new Error('The bundle has no [...path] route')
  const request = new Request(page.view.head.canonicalUrl)
  const response = await app.render(request, { locals: { page }, routeData: pageRoute })
  if (response.status !== 200) throw new Error(`Rendering ${page.path} answered ${response.status}`)
  return response.text()
}

/** Answers a request below /admin that the server in front let through; src/middleware.ts is its guard. */
export function answerAdmin(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true })
}
