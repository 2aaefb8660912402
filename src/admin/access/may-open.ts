import { can, type Holder } from '../../auth/roles/capabilities.ts'
import { type Access, ROUTES } from './routes.ts'

/** Returns whether a user's role and limits allow a request. At the entrance there is no user. */
export function isAllowed(
  user: Holder | undefined,
  { allows, allowsPost }: Pick<Access, 'allows' | 'allowsPost'>,
  method: string,
): boolean {
  const capability = method === 'POST' ? allowsPost : allows
  return capability === 'nothing' || (user !== undefined && can(user, capability))
}

/** Returns whether a user may open an admin page; links to other pages are not shown. */
export function mayOpen(user: Holder, href: string): boolean {
  return mayAsk(user, href, 'GET')
}

/** Returns whether a user may post to an address of the admin. */
export function mayPost(user: Holder, href: string): boolean {
  return mayAsk(user, href, 'POST')
}

function mayAsk(user: Holder, href: string, method: 'GET' | 'POST'): boolean {
  const [path = ''] = href.split(/[?#]/)
  const route = PATTERNS.find(({ pattern }) => pattern.test(path))
  return route === undefined || isAllowed(user, route.access, method)
}

// Literal names take precedence over placeholders, as in Astro.
const PATTERNS = Object.entries(ROUTES)
  .toSorted(([a], [b]) => weigh(a).localeCompare(weigh(b), 'en'))
  .map(([route, access]) => ({ access, pattern: toPattern(route) }))

function weigh(route: string): string {
  return route
    .split('/')
    .map((part) => (part.startsWith('[...') ? '3' : part.startsWith('[') ? '2' : '1'))
    .join('')
    .padEnd(12, '0')
}

function toPattern(route: string): RegExp {
  const parts = route.split('/').map((part) => {
    if (part.startsWith('[...')) return '.*'
    return part.startsWith('[') ? '[^/]+' : RegExp.escape(part)
  })
  return new RegExp(`^${parts.join('/')}/?$`)
}
