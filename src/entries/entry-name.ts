import { pairName } from '../messages/admin/entries.ts'

export interface NameParts {
  title: string
  slug: string
  service: string | null
  place: string | null
}

/** Returns an entry's title, or what people call it without one: a local page by its service and place. */
export function nameOfEntry({ title, slug, service, place }: NameParts): string {
  return title || (service && place ? pairName(service, place) : slug)
}
