import type { Entry } from '../../entries/entry-store.ts'
import { siteTexts } from '../../messages/visitor/site.ts'
import { ancestorsOf, type TermNode } from '../../taxonomies/term-tree.ts'
import type { SiteContent } from '../content/site-content.ts'
import type { Crumb } from './page.ts'
import { placePath, servicePath } from './page-addresses.ts'
import type { PageLink } from './page-link.ts'

const HOME: Crumb = { name: siteTexts.home, path: '/' }
const SERVICES: Crumb = { name: siteTexts.services, path: '/services' }

/** Home › Services › *service*. */
export function serviceBreadcrumbs(content: SiteContent, service: Entry): Crumb[] {
  return [HOME, SERVICES, { name: service.title, path: servicePath(content, service) ?? null }]
}

/**
 * Home › Services › *service* › ancestor terms from the root … › *location*. A crumb is a link if and only if its
 * page exists (contract §4).
 */
export function placeBreadcrumbs(content: SiteContent, service: Entry, place: TermNode): Crumb[] {
  const terms = [...ancestorsOf(place), place]
  const places = terms.map((term) => ({ name: term.name, path: placePath(content, service, term) ?? null }))
  return [...serviceBreadcrumbs(content, service), ...places]
}

/** Home › *page*. */
export function pageBreadcrumbs(name: string, path: string): Crumb[] {
  return [HOME, { name, path }]
}

/** Home › *taxonomy* › ancestor terms from the root … › *term*. */
export function archiveBreadcrumbs(trail: readonly PageLink[]): Crumb[] {
  return [HOME, ...trail]
}

/** Home › Services › the given crumbs. */
export function serviceIndexBreadcrumbs(below: readonly Crumb[] = []): Crumb[] {
  return [HOME, SERVICES, ...below]
}
