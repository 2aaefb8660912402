import { createApp } from 'astro/app/entrypoint'
import { FetchState } from 'astro/fetch'
import { renderToString } from 'astro/runtime/server/index.js'
import type { Page } from '../site/pages/page.ts'
import { ANSWER_ROUTE, routeOfPage } from '../site/pages/public-routes.ts'

const app = createApp({ streaming: false })
// After a plain `astro build` those of public pages are not in it: they are files already.
const routes = new Map(
  app.manifest.routes
    .filter(({ routeData }) => !routeData.prerender)
    .map(({ routeData }) => [routeData.route, routeData]),
)
const components = new Map<string, NonNullable<FetchState['componentInstance']>>()

/**
 * The page's HTML: a pure function of its view, by its route of src/pages. Gives the bytes of a plain `astro build`
 * (tests/e2e/astro-build.test.ts holds them together) without its start and bundling, which take seconds at every publish.
 * Throws when the template throws, so that a broken page never reaches a release.
 */
export async function renderPage(page: Page): Promise<string> {
  const route = routes.get(routeOfPage(page.path)) ?? routes.get(ANSWER_ROUTE)
  if (!route) throw new Error(`The bundle has no route for ${page.path}`)
  // What Astro's `pages` does, without the steps around it: they are for visitors' requests, and cost more than the page.
  const state = new FetchState(new Request(page.view.head.canonicalUrl))
  state.routeData = route
  state.locals = { page } as App.Locals
  const component = await loadComponent(state, route.route)
  state.componentInstance = component
  const result = await state.createResult(component, state.getActionAPIContext())
  const template = component.default
  const { containsHead = false, propagation } = result.componentMetadata.get(template.moduleId ?? '') ?? {}
  result._metadata.headInTree = containsHead
  result._metadata.routeHasPropagation = propagation === 'self' || propagation === 'in-tree'
  const html = await renderToString(result, template, {}, {}, true, route).catch((error: unknown) => {
    // Parts that still wait may fail too, with nobody there to be told.
    result.cancelled = true
    throw error
  })
  if (typeof html === 'string') return html
  throw new Error(`Rendering ${page.path} answered ${html.status}`)
}

async function loadComponent(state: FetchState, route: string) {
  const known = components.get(route)
  if (known) return known
  const component = await state.loadComponentInstance()
  components.set(route, component)
  return component
}

/** Answers a request below /admin that the server in front let through; src/middleware.ts is its guard. */
export function answerAdmin(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true })
}
