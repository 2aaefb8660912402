import type { FieldMeaning } from '../../meanings/meaning.ts'
import { locationServices } from './location-services.ts'
import { pages } from './pages.ts'
import { services } from './services.ts'
import { testimonials } from './testimonials.ts'
import type { TypeRules } from './type-rules.ts'

const BUILTIN = new Map([services, locationServices, testimonials, pages].map((rules) => [rules.slug, rules]))

/** Returns the rules of a built-in content type; undefined for other types. */
export function rulesOf(slug: string): TypeRules {
  return BUILTIN.get(slug) ?? { slug, noun: 'entry', meanings: {} }
}

/** Returns the meaning of a type's field. */
export function meaningOf(slug: string, key: string): FieldMeaning | undefined {
  const { meanings } = rulesOf(slug)
  return Object.hasOwn(meanings, key) ? meanings[key] : undefined
}

/** Lists the type's fields with phone numbers that visitors dial. */
export function dialedKeys(slug: string): string[] {
  const meanings = Object.entries(rulesOf(slug).meanings)
  return meanings.filter(([, { isDialed }]) => isDialed).map(([key]) => key)
}
