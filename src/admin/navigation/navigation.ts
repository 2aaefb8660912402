import type { Holder } from '../../auth/roles/capabilities.ts'
import { areaLabels, groupLabels } from '../../messages/admin/navigation.ts'
import { mayOpen } from '../access/may-open.ts'

export interface NavigationItem {
  href: string
  label: string
  icon: string
}

export interface NavigationGroup {
  label: string
  items: NavigationItem[]
}

/** The areas of the admin. `icon` is a name in Icon.astro. */
const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: groupLabels.overview,
    items: [
      { href: '/admin', label: areaLabels.dashboard, icon: 'dashboard' },
      { href: '/admin/inbox', label: areaLabels.inbox, icon: 'inbox' },
      { href: '/admin/reports', label: areaLabels.reports, icon: 'results' },
    ],
  },
  {
    label: groupLabels.site,
    items: [
      { href: '/admin/home', label: areaLabels.home, icon: 'home' },
      { href: '/admin/entries/pages', label: areaLabels.pages, icon: 'entry' },
      { href: '/admin/entries/services', label: areaLabels.services, icon: 'service' },
      { href: '/admin/taxonomies/locations', label: areaLabels.locations, icon: 'location' },
      { href: '/admin/coverage', label: areaLabels.coverage, icon: 'coverage' },
      { href: '/admin/entries/testimonials', label: areaLabels.reviews, icon: 'review' },
      { href: '/admin/pictures', label: areaLabels.pictures, icon: 'picture' },
      { href: '/admin/publish', label: areaLabels.publish, icon: 'publish' },
    ],
  },
  {
    label: groupLabels.forms,
    items: [
      { href: '/admin/forms', label: areaLabels.forms, icon: 'form' },
      { href: '/admin/webhooks', label: areaLabels.webhooks, icon: 'webhook' },
      { href: '/admin/deliveries', label: areaLabels.deliveries, icon: 'delivery' },
    ],
  },
  {
    label: groupLabels.business,
    items: [
      { href: '/admin/settings', label: areaLabels.settings, icon: 'settings' },
      { href: '/admin/users', label: areaLabels.users, icon: 'users' },
      { href: '/admin/audit', label: areaLabels.audit, icon: 'audit' },
      { href: '/admin/privacy', label: areaLabels.privacy, icon: 'privacy' },
    ],
  },
  {
    label: groupLabels.advanced,
    items: [
      { href: '/admin/entries', label: areaLabels.entries, icon: 'file' },
      { href: '/admin/taxonomies', label: areaLabels.taxonomies, icon: 'taxonomy' },
      { href: '/admin/content-types', label: areaLabels.contentTypes, icon: 'type' },
      { href: '/admin/servers', label: areaLabels.servers, icon: 'server' },
      { href: '/admin/trash', label: areaLabels.trash, icon: 'trash' },
    ],
  },
]

/** The areas that a user may open. */
export function navigationOf(user: Holder): NavigationGroup[] {
  return NAVIGATION.map((group) => ({
    ...group,
    items: group.items.filter(({ href }) => mayOpen(user, href)),
  })).filter(({ items }) => items.length > 0)
}

// A page below Publish.
const CONFLICTS = /^\/admin\/conflicts$/
const WEBHOOKS_OF_A_FORM = /^\/admin\/forms\/[^/]+\/webhooks(?=\/|$)/

const ITEMS = NAVIGATION.flatMap(({ items }) => items)
const AREAS = [...ITEMS, { href: '/admin/account', label: areaLabels.account, icon: 'account' }]

/** Returns the area of the page at `path`: the one with the longest matching path. */
export function areaOf(path: string): NavigationItem | undefined {
  const own = path.replace(WEBHOOKS_OF_A_FORM, '/admin/webhooks').replace(CONFLICTS, '/admin/publish')
  const isAbove = (href: string) => own === href || (href !== '/admin' && own.startsWith(`${href}/`))
  return AREAS.filter(({ href }) => isAbove(href)).sort((a, b) => b.href.length - a.href.length)[0]
}

/** Returns the area above the page at `path`; undefined for the area's own page. */
export function trailAt(path: string, address?: string): { href: string; label: string }[] {
  const area = areaOf(path)
  return area && area.href !== path ? [{ href: address ?? area.href, label: area.label }] : []
}
