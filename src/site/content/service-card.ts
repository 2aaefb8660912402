import type { Entry } from '../../entries/entry-store.ts'
import { servicePath } from '../pages/page-addresses.ts'
import { textOf } from '../pages/text-of.ts'
import { type EntryPicture, entryPicture, namedPicture } from '../pictures/entry-picture.ts'
import type { SiteContent } from './site-content.ts'

/** A service in a list. */
export interface ServiceCard {
  title: string
  path: string
  summary: string | null
  icon: string | null
  priceFrom: string | null
  /** The service's `hero`, or its `picture` if `hero` isn't set. */
  picture: EntryPicture | null
}

export function toServiceCard(content: SiteContent, service: Entry): ServiceCard {
  return {
    title: service.title,
    path: servicePath(content, service) ?? '/services',
    summary: textOf(service.data.summary),
    icon: textOf(service.data.icon),
    priceFrom: textOf(service.data.price_from),
    picture:
      namedPicture(content.pictures, service.data.hero) ?? entryPicture(content.pictures, service.data),
  }
}
