export interface NavigationItem {
  href: string
  label: string
  icon: string
}

export interface NavigationGroup {
  label: string
  items: NavigationItem[]
}

/** The areas of the admin. An icon is the name of one in Icon.astro. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Every day',
    items: [
      { href: '/admin', label: 'Dashboard', icon: 'dashboard' },
      { href: '/admin/inbox', label: 'Inbox', icon: 'inbox' },
    ],
  },
  {
    label: 'Forms',
    items: [
      { href: '/admin/forms', label: 'Forms', icon: 'form' },
      { href: '/admin/webhooks', label: 'Webhooks', icon: 'webhook' },
      { href: '/admin/deliveries', label: 'Deliveries', icon: 'delivery' },
    ],
  },
  {
    label: 'Site',
    items: [
      { href: '/admin/entries', label: 'Entries', icon: 'entry' },
      { href: '/admin/coverage', label: 'Coverage', icon: 'coverage' },
      { href: '/admin/taxonomies', label: 'Taxonomies', icon: 'taxonomy' },
      { href: '/admin/content-types', label: 'Content types', icon: 'type' },
      { href: '/admin/publish', label: 'Publish', icon: 'publish' },
    ],
  },
  {
    label: 'Program',
    items: [
      { href: '/admin/users', label: 'Users', icon: 'users' },
      { href: '/admin/audit', label: 'Audit log', icon: 'audit' },
      { href: '/admin/settings', label: 'Settings', icon: 'settings' },
    ],
  },
]

// A page below Publish.
const CONFLICTS = /^\/admin\/conflicts$/
const WEBHOOKS_OF_A_FORM = /^\/admin\/forms\/[^/]+\/webhooks(?=\/|$)/

/** Whether the page at `path` belongs to this item. */
export function isCurrent({ href }: NavigationItem, path: string): boolean {
  const own = path.replace(WEBHOOKS_OF_A_FORM, '/admin/webhooks').replace(CONFLICTS, '/admin/publish')
  return own === href || (href !== '/admin' && own.startsWith(`${href}/`))
}

const AREAS = [
  ...NAVIGATION.flatMap(({ items }) => items),
  { href: '/admin/account', label: 'Your account', icon: 'account' },
]

/** The area that the page at `path` stands below, with another address of its page; nothing for the page itself. */
export function trailAt(path: string, address?: string): { href: string; label: string }[] {
  const area = AREAS.find((item) => item.href !== path && isCurrent(item, path))
  return area ? [{ href: address ?? area.href, label: area.label }] : []
}
