import type { Db } from '../../db/schema.ts'
import { findForm } from '../../forms/form-store.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../../taxonomies/term-tree.ts'
import { findEntryById, hasPicture, listEntriesById } from '../entry-lookup-store.ts'
import { type Entry, findEntry } from '../entry-store.ts'
import { expandOfferedIn } from '../offers/offered-in.ts'
import type { FieldErrors } from '../types/check-fields.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import { type FieldMeaning, meaningOf } from '../types/field-meaning.ts'
import { SERVICE_ICONS } from '../types/service-icons.ts'

export interface Resolved {
  /** The values with slugs of places turned into ids. */
  data: Record<string, unknown>
  errors: FieldErrors
}

type Resolve = (db: Db, value: unknown) => Promise<{ value: unknown } | { error: string }>

const RESOLVERS: Record<FieldMeaning, Resolve> = {
  form: async (db, slug) =>
    (await findForm(db, String(slug))) ? { value: slug } : { error: `There is no form "${slug}".` },
  icon: async (_db, name) =>
    SERVICE_ICONS.includes(String(name))
      ? { value: name }
      : { error: `There is no drawing "${name}". Choose one of: ${SERVICE_ICONS.join(', ')}.` },
  picture: async (db, name) =>
    (await hasPicture(db, String(name)))
      ? { value: name }
      : { error: `There is no picture "${name}". Choose one of the folder pictures/.` },
  service: async (db, slug) =>
    (await findEntryOf(db, 'services', String(slug)))
      ? { value: slug }
      : { error: `There is no service "${slug}".` },
  places: checkPlaces,
  // Names nothing; checkEntry knows the number that was stored before.
  phone: async (_db, number) => ({ value: number }),
  service_id: async (db, id) =>
    (await isEntryOf(db, 'services', id)) ? { value: id } : { error: 'Choose one of the services.' },
  location_id: resolvePlace,
  testimonial_ids: checkTestimonials,
}

/** Checks what the fields of a built-in type name (§2.9 rules 1 and 2): forms, drawings, pictures, services, places, testimonials. */
export async function resolveReferences(
  db: Db,
  type: ContentType,
  values: Readonly<Record<string, unknown>>,
): Promise<Resolved> {
  const data = { ...values }
  const errors: FieldErrors = {}
  for (const [key, value] of Object.entries(values)) {
    const meaning = meaningOf(type.slug, key)
    if (!meaning) continue
    const resolved = await RESOLVERS[meaning](db, value)
    if ('error' in resolved) errors[key] = [resolved.error]
    else data[key] = resolved.value
  }
  return { data, errors }
}

/** The tree of places. */
export async function loadPlaces(db: Db): Promise<TermTree> {
  const taxonomy = await findTaxonomy(db, 'locations')
  return buildTermTree(taxonomy ? await listTerms(db, taxonomy.id) : [])
}

async function checkPlaces(db: Db, patterns: unknown) {
  const { unknown } = expandOfferedIn((patterns as unknown[]).map(String), await loadPlaces(db))
  if (unknown.length === 0) return { value: patterns }
  const named = unknown.map((pattern) => `"${pattern}"`).join(', ')
  return { error: `No place fits ${named}. Write lines such as austin, texas/*, texas/** or except austin.` }
}

async function resolvePlace(db: Db, slugOrId: unknown) {
  const places = await loadPlaces(db)
  const place = typeof slugOrId === 'number' ? places.byId.get(slugOrId) : places.bySlug.get(String(slugOrId))
  return place ? { value: place.id } : { error: `There is no place "${slugOrId}".` }
}

async function checkTestimonials(db: Db, list: unknown) {
  const type = await findContentType(db, 'testimonials')
  const ids = [...new Set(String(list).split(',').map(Number))]
  const known = type ? await listEntriesById(db, ids.filter(Number.isSafeInteger)) : new Map<number, Entry>()
  if (ids.every((id) => known.get(id)?.typeId === type?.id)) return { value: ids.join(',') }
  return { error: 'One of the testimonials is gone. Choose again.' }
}

async function findEntryOf(db: Db, typeSlug: string, slug: string) {
  const type = await findContentType(db, typeSlug)
  return type && findEntry(db, type.id, slug)
}

async function isEntryOf(db: Db, typeSlug: string, id: unknown): Promise<boolean> {
  const type = await findContentType(db, typeSlug)
  const entry = Number.isSafeInteger(id) ? await findEntryById(db, Number(id)) : undefined
  return type !== undefined && entry?.typeId === type.id
}
