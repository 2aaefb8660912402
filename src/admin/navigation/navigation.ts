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
    label: 'Overview',
    items: [
      { href: '/admin', label: 'Dashboard', icon: 'dashboard' },
      { href: '/admin/inbox', label: 'Inbox', icon: 'inbox' },
    ],
  },
  {
    label: 'Site',
    items: [
      { href: '/admin/entries/pages', label: 'Pages', icon: 'entry' },
      { href: '/admin/entries/services', label: 'Services', icon: 'service' },
      { href: '/admin/taxonomies/locations', label: 'Service areas', icon: 'location' },
      { href: '/admin/coverage', label: 'Coverage', icon: 'coverage' },
      { href: '/admin/entries/testimonials', label: 'Reviews', icon: 'review' },
      { href: '/admin/publish', label: 'Publish', icon: 'publish' },
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
    label: 'Business',
    items: [
      { href: '/admin/settings', label: 'Settings', icon: 'settings' },
      { href: '/admin/users', label: 'Team', icon: 'users' },
      { href: '/admin/audit', label: 'Activity', icon: 'audit' },
    ],
  },
  {
    label: 'Advanced',
    items: [
      { href: '/admin/entries', label: 'All content', icon: 'file' },
      { href: '/admin/taxonomies', label: 'Taxonomies', icon: 'taxonomy' },
      { href: '/admin/content-types', label: 'Content types', icon: 'type' },
    ],
  },
]

// A page below Publish.
const CONFLICTS = /^\/admin\/conflicts$/
const WEBHOOKS_OF_A_FORM = /^\/admin\/forms\/[^/]+\/webhooks(?=\/|$)/

const ITEMS = NAVIGATION.flatMap(({ items }) => items)
const AREAS = [...ITEMS, { href: '/admin/account', label: 'Your account', icon: 'account' }]

/** Returns the area that the page at `path` belongs to: the one with the longest address above it. */
export function areaOf(path: string): NavigationItem | undefined {
  const own = path.replace(WEBHOOKS_OF_A_FORM, '/admin/webhooks').replace(CONFLICTS, '/admin/publish')
  const isAbove = (href: string) => own === href || (href !== '/admin' && own.startsWith(`${href}/`))
  return AREAS.filter(({ href }) => isAbove(href)).sort((a, b) => b.href.length - a.href.length)[0]
}

/** The area that the page at `path` stands below, with another address of its page; nothing for the page itself. */
export function trailAt(path: string, address?: string): { href: string; label: string }[] {
  const area = areaOf(path)
  return area && area.href !== path ? [{ href: address ?? area.href, label: area.label }] : []
}

/** Returns what the navigation calls the page at `path`; undefined when it does not lead there. */
export function labelOf(path: string): string | undefined {
  return ITEMS.find(({ href }) => href === path)?.label
}
