import { createApp } from 'astro/app/entrypoint'
import { FetchState } from 'astro/fetch'
import { renderToString } from 'astro/runtime/server/index.js'
import type { Page } from '../site/pages/page.ts'

const app = createApp({ streaming: false })
const pageRoute = app.manifest.routes.find(({ routeData }) => routeData.route === '/[...path]')?.routeData
let pageModule: FetchState['componentInstance']

/**
 * The page's HTML: a pure function of its view. Throws when the template throws, so that a broken page never
 * reaches a release.
 */
export async function renderPage(page: Page): Promise<string> {
  if (!pageRoute) throw new Error('The bundle has no [...path] route')
  // What Astro's `pages` does, without the steps around it: they are for visitors' requests, and cost more than the page.
  const state = new FetchState(new Request(page.view.head.canonicalUrl))
  state.routeData = pageRoute
  state.locals = { page } as App.Locals
  state.componentInstance = pageModule ??= await state.loadComponentInstance()
  const result = await state.createResult(state.componentInstance, state.getActionAPIContext())
  const template = state.componentInstance.default
  const { containsHead = false, propagation } = result.componentMetadata.get(template.moduleId ?? '') ?? {}
  result._metadata.headInTree = containsHead
  result._metadata.routeHasPropagation = propagation === 'self' || propagation === 'in-tree'
  const html = await renderToString(result, template, {}, {}, true, pageRoute).catch((error: unknown) => {
    // Parts that still wait may fail too, with nobody there to be told.
    result.cancelled = true
    throw error
  })
  if (typeof html === 'string') return html
  throw new Error(`Rendering ${page.path} answered ${html.status}`)
}

/** Answers a request below /admin that the server in front let through; src/middleware.ts is its guard. */
export function answerAdmin(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true })
}
