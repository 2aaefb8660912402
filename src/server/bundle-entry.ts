import { createApp } from 'astro/app/entrypoint'
import { FetchState, pages } from 'astro/fetch'
import type { Page } from '../site/page.ts'

const app = createApp({ streaming: false })
const pageRoute = app.manifest.routes.find(({ routeData }) => routeData.route === '/[...path]')?.routeData
let pageModule: FetchState['componentInstance']

/**
 * The page's HTML: a pure function of its view. Throws when the template throws, so that a broken page never
 * reaches a release.
 */
export async function renderPage(page: Page): Promise<string> {
  if (!pageRoute) throw new Error('The bundle has no [...path] route')
  // Without the steps before it that `app.render` takes: they are for visitors' requests, and cost as much as the page.
  const state = new FetchState(new Request(page.view.head.canonicalUrl))
  state.routeData = pageRoute
  state.locals = { page } as App.Locals
  state.streaming = false
  state.componentInstance = pageModule ??= await state.loadComponentInstance()
  const response = await pages(state)
  if (response.status !== 200) throw new Error(`Rendering ${page.path} answered ${response.status}`)
  return response.text()
}

/** Answers a request below /admin that the server in front let through; src/middleware.ts is its guard. */
export function answerAdmin(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true })
}
