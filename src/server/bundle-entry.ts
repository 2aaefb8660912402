import { createApp } from 'astro/app/entrypoint'
import { FetchState } from 'astro/fetch'
import { renderPage as renderOther, renderToString } from 'astro/runtime/server/index.js'
import { Failure } from '../lib/messages.ts'
import { IS_INSTALLED } from '../lib/program/folders.ts'
import { ownPageFailures } from '../messages/server/own-pages.ts'
import { collectShown } from '../site/content/shown-components.ts'
import { hasExtension, type OwnPage } from '../site/own-pages/own-page.ts'
import { refuseHeaders } from '../site/own-pages/refuse-headers.ts'
import { readStaticPaths } from '../site/own-pages/static-paths.ts'
import type { Page } from '../site/pages/page.ts'
import { ANSWER_ROUTE, routeOfPage } from '../site/pages/public-routes.ts'
import { withInlinePolicy } from '../site/tags/inline-policy.ts'

const app = createApp({ streaming: false })
// After a plain `astro build` those of public pages are not in it: they are files already.
const served = app.manifest.routes.map(({ routeData }) => routeData).filter(({ prerender }) => !prerender)
const isOwn = ({ origin }: Route) => IS_INSTALLED && origin === 'project'
const routes = new Map(served.filter((route) => !isOwn(route)).map((route) => [route.route, route]))
const ownRoutes = served.filter(isOwn)
const components = new Map<string, Component>()

type Route = (typeof app.manifest.routes)[number]['routeData']
type Component = NonNullable<FetchState['componentInstance']>

/**
 * The page's HTML: a pure function of its view, by its route of src/pages. Gives the bytes of a plain `astro build`
 * (tests/e2e/astro-build.test.ts compares them) without its start and bundling, which take seconds at every publish.
 * Throws when the template throws, so that a broken page never reaches a release. Components that a site can replace
 * add their names to `shown`.
 */
export async function renderPage(page: Page, shown = new Set<string>()): Promise<string> {
  const route = routes.get(routeOfPage(page.path)) ?? routes.get(ANSWER_ROUTE)
  if (!route) throw new Error(`The bundle has no route for ${page.path}`)
  const state = stateOf(page.view.head.canonicalUrl, route)
  state.locals = { page, shown: collectShown(shown) } as App.Locals
  const html = await renderTemplate(state, route, await loadComponent(route))
  if (typeof html === 'string') return html
  throw new Error(`Rendering ${page.path} answered ${html.status}`)
}

/** Lists the pages of the site's own `src/pages`. Reads content if their paths depend on it. */
export async function listOwnPages(): Promise<OwnPage[]> {
  const pages: OwnPage[] = []
  for (const route of ownRoutes) {
    const file = route.component
    const listed =
      route.pathname === undefined
        ? readStaticPaths(route, await listPaths(route))
        : [{ path: route.pathname, file, props: {} }]
    refuseBare(route, listed)
    pages.push(...listed)
  }
  return pages
}

// A page's file has another name than its address.
function refuseBare({ type }: Route, pages: readonly OwnPage[]) {
  const bare = type === 'endpoint' && pages.find(({ path }) => !hasExtension(path))
  if (bare) throw new Failure(ownPageFailures, 'endpointBare', bare.path)
}

/** Renders an own page, or returns the bytes of an endpoint. Throws if its status isn't 200. */
export async function renderOwnPage(
  { path, file, props }: OwnPage,
  siteUrl: string,
): Promise<string | Buffer> {
  const route = ownRoutes.find(({ component }) => component === file)
  if (!route) throw new Error(`The bundle has no route for ${path}`)
  const state = new FetchState(new Request(siteUrl + path))
  const component = await loadComponent(route)
  state.routeData = route
  state.props = props
  // Components that it shares with the program's pages record what they contain.
  state.locals = { shown: collectShown(new Set()) } as App.Locals
  const answer =
    route.type === 'endpoint'
      ? await callEndpoint(state, component, file)
      : await renderTemplate(state, route, component)
  if (typeof answer === 'string') return withInlinePolicy(answer)
  if (answer.status !== 200) throw new Failure(ownPageFailures, 'answered', path, answer.status)
  return Buffer.from(await answer.arrayBuffer())
}

// Astro reads its options from the request. With a route, it doesn't compare the address with all others.
function stateOf(url: string, routeData: Route): FetchState {
  const request = new Request(url)
  Reflect.set(request, Symbol.for('astro.renderOptions'), { routeData })
  return new FetchState(request)
}

// Renders as Astro's `pages`, without the steps around it: they are for visitors' requests, and cost more than the page.
async function renderTemplate(
  state: FetchState,
  route: Route,
  component: Component,
): Promise<string | Response> {
  state.routeData = route
  state.componentInstance = component
  const result = await state.createResult(component, state.getActionAPIContext())
  const template = component.default
  const { containsHead = false, propagation } = result.componentMetadata.get(template.moduleId ?? '') ?? {}
  result._metadata.headInTree = containsHead
  result._metadata.routeHasPropagation = propagation === 'self' || propagation === 'in-tree'
  const props = state.props ?? {}
  // Pages in HTML or MDX are functions of other kinds.
  const isAstro = Reflect.get(template, 'isAstroComponentFactory') === true
  const page = isAstro
    ? renderToString(result, template, props, {}, true, route)
    : renderOther(result, template, props, {}, false, route).then((page) => page.text())
  const rendered = await page.catch((error: unknown) => {
    // Pending parts may fail too, without anyone awaiting them.
    result.cancelled = true
    throw error
  })
  // Set by `Astro.response`.
  const { status = 200, headers } = result.response
  refuseHeaders(state.url.pathname, headers, state.cookies)
  return status === 200 ? rendered : new Response(null, { status })
}

async function callEndpoint(state: FetchState, component: Component, file: string): Promise<Response> {
  const handler = Reflect.get(component, 'GET')
  if (typeof handler !== 'function') throw new Failure(ownPageFailures, 'handlerMissing', file)
  return handler(state.getAPIContext())
}

async function listPaths(route: Route): Promise<unknown> {
  const { getStaticPaths } = await loadComponent(route)
  if (!getStaticPaths) throw new Failure(ownPageFailures, 'pathsMissing', route.component)
  return getStaticPaths({
    // Astro exports none.
    paginate() {
      throw new Failure(ownPageFailures, 'paginated', route.component)
    },
    routePattern: route.route,
  })
}

async function loadComponent(route: Route): Promise<Component> {
  const known = components.get(route.route)
  if (known) return known
  const state = new FetchState(new Request('http://localhost'))
  state.routeData = route
  const component = await state.loadComponentInstance()
  components.set(route.route, component)
  return component
}

/** Answers a request below /admin that the server in front let through; src/middleware.ts is its guard. */
export function answerAdmin(request: Request, locals: App.Locals): Promise<Response> {
  return app.render(request, { locals, addCookieHeader: true })
}
