import type { Json } from '../lib/canonical-json.ts'
import type { Answers } from './meta.ts'

const META_PREFIX = 'meta.'

/** The values for templates and conditions: the answers by field name, and `meta` (contract §6). */
export interface Subject {
  answers: Answers
  meta: Readonly<Record<string, Json>>
}

/** The value behind a field name or `meta.<key>`; null when there is none. */
export function findValue(reference: string, { answers, meta }: Subject): Json {
  const key = metaKeyOf(reference)
  return key === undefined ? ownValue(answers, reference) : ownValue(meta, key)
}

/** `location_slug` of `meta.location_slug`; undefined when the reference is a field's name. */
export function metaKeyOf(reference: string): string | undefined {
  return reference.startsWith(META_PREFIX) ? reference.slice(META_PREFIX.length) : undefined
}

// A field may be called `constructor`: only own keys count.
function ownValue(values: Readonly<Record<string, Json>>, key: string): Json {
  return Object.hasOwn(values, key) ? (values[key] ?? null) : null
}
