import { defineMiddleware } from 'astro:middleware'
import { hideForbidden } from './admin/access/hide-forbidden.ts'
import { isAllowed } from './admin/access/may-open.ts'
import { type Access, findAccess } from './admin/access/routes.ts'
import { sessionCookie } from './admin/access/session-cookie.ts'
import { seeOther } from './admin/kit/flash.ts'
import { askForPassword } from './admin/kit/page-context.ts'
import { can } from './auth/roles/capabilities.ts'
import { resumeSession } from './auth/sessions.ts'
import { Failure } from './lib/messages.ts'
import { IS_INSTALLED } from './lib/program/folders.ts'
import { ownPageFailures } from './messages/server/own-pages.ts'
import { requestTexts } from './messages/server/requests.ts'
import { refuseHeaders } from './site/own-pages/refuse-headers.ts'
import { isPublicRoute } from './site/pages/public-routes.ts'
import { withInlinePolicy } from './site/tags/inline-policy.ts'
import { findLeadScope } from './submissions/scope/scope-store.ts'

// The server in front gives it Node's own request, after its checks; nobody else may reach it.
const POST_ROUTE = '/api/forms/[form]/submissions'

/**
 * Guards the admin and denies by default: src/admin/access/routes.ts says what the route needs that would
 * answer, however its address is spelled.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  if (isPublicRoute(context.routePattern)) return showPublicPage(context, next)
  if (context.routePattern === POST_ROUTE) return context.locals.incoming ? next() : notFound()
  if (isOwnPage(context)) return showOwnPage(context, next)
  const { app } = context.locals
  const token = sessionCookie.read(context)
  const found = token === undefined ? undefined : await resumeSession(app.db, token, { now: new Date() })
  if (found) {
    const leads = await findLeadScope(app.db, found.administrator.limits)
    Object.assign(context.locals, { ...found, leads })
  }
  const access = findAccess(context.routePattern)
  if (!found && access?.needs !== 'nothing') return refuse(context, next)
  if (!access) return reportFailure(context, new Error(`Declare what ${context.routePattern} needs`))
  const stopped = stopBefore(context, access, next)
  if (stopped) return stopped
  try {
    return await showAllowed(context, await next())
  } catch (error) {
    return reportFailure(context, error)
  }
})

// A public page is given by the renderer or `astro build`, never asked for by a request.
async function showPublicPage({ isPrerendered, locals, url }: Context, next: Next) {
  if (isPrerendered) locals.page = await staticPageAt(url.pathname)
  return locals.page ? next() : notFound()
}

// A page of the site's own is rendered by `astro build` and `astro dev`, never by a server for visitors.
function isOwnPage({ isPrerendered, routePattern }: Context): boolean {
  if (!IS_INSTALLED || routePattern.startsWith('/admin')) return false
  return (isPrerendered || import.meta.env.DEV) && findAccess(routePattern) === undefined
}

async function showOwnPage({ cookies, isPrerendered, url }: Context, next: Next): Promise<Response> {
  const response = await next()
  if (isPrerendered && response.status !== 200)
    throw new Failure(ownPageFailures, 'answered', url.pathname, response.status)
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (isPrerendered && isPage) refuseHeaders(url.pathname, response.headers, cookies)
  return isPrerendered && isPage ? new Response(withInlinePolicy(await response.text()), response) : response
}

function notFound(): Response {
  return new Response(`${requestTexts.notFoundHere}\n`, { status: 404 })
}

async function staticPageAt(pathname: string) {
  const { getStaticPage } = await import('./server/prerender/static-site.ts')
  return getStaticPage(pathname)
}

type Context = Parameters<typeof onRequest>[0]
type Next = Parameters<typeof onRequest>[1]

// Owners get the page unchanged.
async function showAllowed({ locals, url }: Context, response: Response): Promise<Response> {
  const { administrator } = locals
  const isPage = response.headers.get('content-type')?.startsWith('text/html')
  if (!isPage || !administrator || can(administrator, 'rule_site')) return response
  const html = hideForbidden(await response.text(), administrator, url.pathname)
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(html, { status: response.status, headers })
}

// Browsers are redirected to the sign-in and back, or keep what was typed; a script gets an answer.
function refuse(context: Context, next: Next) {
  const { locals, request, url } = context
  locals.refused = 'not_signed_in'
  const address = encodeURIComponent(url.pathname + url.search)
  if (isFormPost(request)) return keepPost(context, next)
  if (!isPageVisit(request)) return new Response(`${requestTexts.signInFirst}\n`, { status: 401 })
  return new Response(null, { status: 303, headers: { location: `/admin/login?next=${address}` } })
}

// Keeps what was typed on a page that leads to the sign-in, or to the question for the password.
function keepPost({ request, url }: Context, next: Next, state = ''): Promise<Response> {
  const address = encodeURIComponent(url.pathname + url.search)
  return next(new Request(new URL(`/admin/login/ended?${state}to=${address}`, url), request))
}

// The checks of a session that a route asks for, in this order.
function stopBefore(context: Context, access: Access, next: Next): Response | Promise<Response> | undefined {
  const { beforeTwoFactors, posts, needs } = access
  const { administrator, lacksTwoFactors } = context.locals
  if (lacksTwoFactors && !beforeTwoFactors) return leadToTwoFactors(context)
  if (!isAllowed(administrator, access, context.request.method)) return forbid(context, next)
  if (!posts && context.request.method === 'POST') return refusePost(context)
  const question = needs === 'fresh_password' ? askForPassword(context) : undefined
  if (!question) return undefined
  context.locals.refused = 'password_stale'
  return isFormPost(context.request) ? keepPost(context, next, 'signed-in&') : question
}

// Actions that this user's role does not allow.
function forbid({ locals, request, url }: Context, next: Next): Response | Promise<Response> {
  locals.refused = 'forbidden'
  if (isScript(request) || !/text\/html|\*\/\*/.test(request.headers.get('accept') ?? '*/*'))
    return new Response(`${requestTexts.roleRefused}\n`, { status: 403 })
  return next(new Request(new URL('/admin/forbidden', url), { headers: request.headers }))
}

function leadToTwoFactors({ locals, request }: Context): Response {
  locals.refused = 'second_factor_missing'
  if (isScript(request)) return new Response(`${requestTexts.twoStepFirst}\n`, { status: 403 })
  return seeOther('/admin/account/two-factors')
}

function refusePost({ locals }: Context): Response {
  locals.refused = 'request_refused'
  return new Response(`${requestTexts.onlyGet}\n`, { status: 405, headers: { allow: 'GET, HEAD' } })
}

function isPageVisit(request: Request): boolean {
  const { method, headers } = request
  const accept = headers.get('accept') ?? '*/*'
  return (method === 'GET' || method === 'HEAD') && /text\/html|\*\/\*/.test(accept) && !isScript(request)
}

function isFormPost(request: Request): boolean {
  const { method, headers } = request
  return method === 'POST' && headers.get('accept')?.includes('text/html') === true && !isScript(request)
}

function isScript({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'empty'
}

// Astro would respond itself, replacing a response without a body by another page; the server in front knows how to log
// and show failures.
function reportFailure({ locals }: Context, error: unknown): Response {
  locals.thrown = { error }
  return new Response('', { status: 500 })
}
