import type { FieldMeaning } from '../../meanings/meaning.ts'
import { locationServices } from './location-services.ts'
import { pages } from './pages.ts'
import { services } from './services.ts'
import { testimonials } from './testimonials.ts'
import type { TypeRules } from './type-rules.ts'

const BUILTIN = new Map([services, locationServices, testimonials, pages].map((rules) => [rules.slug, rules]))

/** Returns the rules of a content type; types that don't come with the program have none. */
export function rulesOf(slug: string): TypeRules {
  return BUILTIN.get(slug) ?? { slug, noun: 'entry', meanings: {} }
}

/** Returns the meaning of a type's field. */
export function meaningOf(slug: string, key: string): FieldMeaning | undefined {
  const { meanings } = rulesOf(slug)
  return Object.hasOwn(meanings, key) ? meanings[key] : undefined
}

/** The fields of a type whose numbers visitors dial. */
export function dialedKeys(slug: string): string[] {
  const meanings = Object.entries(rulesOf(slug).meanings)
  return meanings.filter(([, { isDialed }]) => isDialed).map(([key]) => key)
}
