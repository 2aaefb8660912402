export const LOCATION_SERVICES = 'location_services'
/** Comma-separated entry ids in the database (§2.9), a list of slugs in files. */
export const LOCAL_TESTIMONIALS = 'local_testimonials'

/** What the value of a built-in type's field stands for, beyond its type in the schema. */
export type FieldMeaning =
  | 'form'
  | 'icon'
  | 'picture'
  | 'phone'
  | 'service'
  | 'places'
  | 'service_id'
  | 'location_id'
  | 'testimonial_ids'

const MEANINGS: Record<string, Record<string, FieldMeaning>> = {
  pages: { form: 'form', picture: 'picture' },
  services: { form: 'form', icon: 'icon', offered_in: 'places', picture: 'picture' },
  testimonials: { service: 'service' },
  [LOCATION_SERVICES]: {
    service_entry_id: 'service_id',
    location_term_id: 'location_id',
    [LOCAL_TESTIMONIALS]: 'testimonial_ids',
    phone: 'phone',
  },
}

/**
 * `form` and `service` are slugs, `icon` and `picture` are names, `places` a list of patterns, `phone` is a number to
 * dial, the rest ids (§2.9).
 */
export function meaningOf(typeSlug: string, key: string): FieldMeaning | undefined {
  return MEANINGS[typeSlug]?.[key]
}

/** The fields of a type whose value has this meaning. */
export function keysWithMeaning(typeSlug: string, meaning: FieldMeaning): string[] {
  const meanings = Object.entries(MEANINGS[typeSlug] ?? {})
  return meanings.filter(([, one]) => one === meaning).map(([key]) => key)
}
