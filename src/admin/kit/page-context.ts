import type { APIContext } from 'astro'
import type { App } from '../../app.ts'
import type { Administrator } from '../../auth/administrator.ts'
import { hasFreshPassword } from '../../auth/session.ts'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { CookieContext } from '../access/admin-cookie.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import { type Flash, redirectWithMessage, seeOther } from './flash.ts'

type Context = Pick<APIContext, 'locals' | 'url'>

/** Returns who is signed in. Throws when the guard failed: every page of the admin asks. */
export function getAdministrator({ locals }: Pick<APIContext, 'locals'>): Administrator {
  if (!locals.administrator) throw new Error('This page needs an administrator')
  return locals.administrator
}

/** Returns the leads that who is signed in may see; every query for leads takes it. */
export function leadsOf({ locals }: Pick<APIContext, 'locals'>): LeadScope {
  if (!locals.leads) throw new Error('This page needs an administrator')
  return locals.leads
}

/** Returns the running program, for a page whose reader is signed in; throws as `getAdministrator` does. */
export function appOf(context: Pick<APIContext, 'locals'>): App {
  getAdministrator(context)
  return context.locals.app
}

/**
 * Returns the redirect that asks for the password and comes back here; undefined when it was confirmed in this session
 * within 15 minutes. The guard asks for routes that declare it.
 */
export function askForPassword({ locals, url }: Context, now = new Date()): Response | undefined {
  if (hasFreshPassword(locals.session, { now })) return undefined
  return seeOther(`/admin/password-check?next=${encodeURIComponent(url.pathname + url.search)}`)
}

/** The id in an address; 0, which nothing has, for what is none: PostgreSQL fails on a look for `1.5`. */
export function readId(text: string | null | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

/** Returns an address within the admin from a form or a link; anything else becomes the dashboard. */
export function safeNext(next: string | null | undefined): string {
  return next && /^\/admin(?:[/?][!-[\]-~]*)?$/.test(next) && staysInAdmin(next) ? next : '/admin'
}

// Dots lead out of it, and in front of two slashes to another host: `/admin/..//evil.example`.
function staysInAdmin(next: string): boolean {
  return /^\/admin(?:\/|$)/.test(new URL(next, 'http://localhost').pathname)
}

/** The page that is shown next, and what it says once. */
export interface Next {
  to: string
  text: string
  kind?: Flash['kind']
}

/** Ends a change that was made: records it, unless it is false, wakes what it concerns, and leads on (303). */
export async function finish(
  context: CookieContext,
  change: Change | false,
  { to, text, kind }: Next,
): Promise<Response> {
  if (change) await recordChange(context, change)
  return redirectWithMessage(context, to, text, kind)
}

/** Ends a refused change: redirects (303) with the reason. */
export function refuse(context: CookieContext, { to, text }: Next): Response {
  return redirectWithMessage(context, to, text, 'error')
}

/** Answers with the admin's 404 page, even after the posted form was read. */
export function notFound({
  rewrite,
  request,
  url,
}: Pick<APIContext, 'rewrite' | 'request' | 'url'>): Promise<Response> {
  return rewrite(new Request(new URL('/admin/not-found', url), { headers: request.headers }))
}
