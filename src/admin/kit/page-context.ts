import type { APIContext } from 'astro'
import type { App } from '../../app.ts'
import type { Administrator } from '../../auth/administrator.ts'
import { hasFreshPassword } from '../../auth/session.ts'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { CookieContext } from '../access/admin-cookie.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import { type Flash, redirectWithMessage, seeOther } from './flash.ts'

type Context = Pick<APIContext, 'locals' | 'url'>

/** Returns the signed-in user. Throws if the guard failed: every admin page calls it. */
export function getAdministrator({ locals }: Pick<APIContext, 'locals'>): Administrator {
  if (!locals.administrator) throw new Error('This page needs an administrator')
  return locals.administrator
}

/** Returns the leads that the signed-in user may see; every query for leads takes it. */
export function leadsOf({ locals }: Pick<APIContext, 'locals'>): LeadScope {
  if (!locals.leads) throw new Error('This page needs an administrator')
  return locals.leads
}

/** Returns the running program for a signed-in user; throws like `getAdministrator`. */
export function appOf(context: Pick<APIContext, 'locals'>): App {
  getAdministrator(context)
  return context.locals.app
}

/**
 * Returns the redirect that asks for the password and returns here; undefined if it was confirmed in this session
 * within 15 minutes. For routes that declare it, the guard does this.
 */
export function askForPassword({ locals, url }: Context, now = new Date()): Response | undefined {
  if (hasFreshPassword(locals.session, { now })) return undefined
  return seeOther(`/admin/password-check?next=${encodeURIComponent(url.pathname + url.search)}`)
}

/** Returns the ID in a URL; 0, which no row has, if it is invalid: PostgreSQL fails on `1.5`. */
export function readId(text: string | null | undefined): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

/** Returns a path within the admin from a form or link; anything else becomes the dashboard. */
export function safeNext(next: string | null | undefined): string {
  return next && /^\/admin(?:[/?][!-[\]-~]*)?$/.test(next) && staysInAdmin(next) ? next : '/admin'
}

// Dots could lead out of the admin, and with two slashes to another host: `/admin/..//evil.example`.
function staysInAdmin(next: string): boolean {
  return /^\/admin(?:\/|$)/.test(new URL(next, 'http://localhost').pathname)
}

/** The next page, and the message it shows once. */
export interface Next extends Partial<Flash> {
  to: string
  text: string
}

/** Completes a change: records it unless it is false, wakes the affected workers, and redirects (303). */
export async function finish(
  context: CookieContext,
  change: Change | false,
  { to, ...message }: Next,
): Promise<Response> {
  if (change) await recordChange(context, change)
  return redirectWithMessage(context, to, message)
}

/** Completes a refused change: redirects (303) with the reason. */
export function refuse(context: CookieContext, { to, text }: Next): Response {
  return redirectWithMessage(context, to, { text, kind: 'error' })
}

/** Responds with the admin's 404 page, even after the posted form was read. */
export function notFound({
  rewrite,
  request,
  url,
}: Pick<APIContext, 'rewrite' | 'request' | 'url'>): Promise<Response> {
  return rewrite(new Request(new URL('/admin/not-found', url), { headers: request.headers }))
}
