import type { Entry } from '../../entries/entry-store.ts'
import { servicePath } from '../pages/page-addresses.ts'
import { textOf } from '../pages/text-of.ts'
import type { SiteContent } from './site-content.ts'

/** A service as lists show it. */
export interface ServiceCard {
  title: string
  path: string
  summary: string | null
  icon: string | null
  priceFrom: string | null
}

export function toServiceCard(content: SiteContent, service: Entry): ServiceCard {
  return {
    title: service.title,
    path: servicePath(content, service) ?? '/services',
    summary: textOf(service.data.summary),
    icon: textOf(service.data.icon),
    priceFrom: textOf(service.data.price_from),
  }
}
