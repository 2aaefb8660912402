import type { APIContext } from 'astro'

export type CookieContext = Pick<APIContext, 'cookies' | 'locals' | 'url'>

/**
 * A cookie of the admin: HttpOnly, SameSite=Lax, and over https Secure with the `__Host-` prefix (RFC 6265bis
 * §4.1.3).
 */
export interface AdminCookie {
  read(context: CookieContext): string | undefined
  set(context: CookieContext, value: string): void
  clear(context: CookieContext): void
}

/** Describes the cookie `signpost_<name>`, which browsers keep for `maxAgeSeconds`. */
export function adminCookie(name: string, { maxAgeSeconds }: { maxAgeSeconds: number }): AdminCookie {
  return {
    read: (context) => context.cookies.get(nameFor(context, name))?.value,
    set(context, value) {
      const options = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: maxAgeSeconds } as const
      context.cookies.set(nameFor(context, name), value, { ...options, secure: isSecure(context) })
    },
    clear: (context) =>
      context.cookies.delete(nameFor(context, name), { path: '/', secure: isSecure(context) }),
  }
}

// Browsers accept the prefix only over https, for one host and all its paths, so no sibling host can set the cookie.
function nameFor(context: CookieContext, name: string): string {
  return `${isSecure(context) ? '__Host-' : ''}signpost_${name}`
}

// The public URL is https, but a request to 127.0.0.1 on the machine itself is plain http.
function isSecure({ locals, url }: CookieContext): boolean {
  const admin = new URL(locals.app.config.adminUrl)
  return admin.protocol === 'https:' && url.host === admin.host
}
