import type { Db } from '../db/schema.ts'
import type { EntryInput } from '../entries/editing/entry-input.ts'
import { loadPlaces } from '../entries/editing/resolve-references.ts'
import { type Entry, listEntries } from '../entries/entry-store.ts'
import { type ChoosableTaxonomy, listChoosableTaxonomies } from '../entries/terms/entry-terms.ts'
import type { ContentType } from '../entries/types/content-type-store.ts'
import {
  type FieldMeaning,
  keysWithMeaning,
  LOCATION_SERVICES,
  meaningOf,
} from '../entries/types/field-meaning.ts'
import { composeRoute } from '../entries/types/route-pattern.ts'
import type { SchemaField } from '../entries/types/schema-field.ts'
import { SERVICE_ICONS } from '../entries/types/service-icons.ts'
import { listForms } from '../forms/form-store.ts'
import { DEFAULT_COUNTRY } from '../lib/locale/locale.ts'
import { toDialable } from '../lib/locale/phone-number.ts'
import { buildTermTree, type TermNode, type TermTree } from '../taxonomies/term-tree.ts'
import { toPlaceView } from './pages/location-service-page.ts'
import { listPictures } from './pictures/picture-store.ts'
import type { SiteSettings } from './settings/site-settings.ts'
import { findSiteSettings } from './settings/site-settings-store.ts'

interface Choice {
  value: string
  label: string
}

/** A field of a type as its editor shows it. */
export interface EditorField {
  field: SchemaField
  meaning: FieldMeaning | undefined
  /** What there is to choose from, for a field that names something. */
  choices: Choice[]
  /** What the page shows when the field is empty (§2.9 rule 5). */
  inherited: string | undefined
}

export interface EntryEditor {
  fields: EditorField[]
  taxonomies: ChoosableTaxonomy[]
  /** Of a location service. */
  pair: { service: Entry | undefined; place: TermNode | undefined; placeName: string } | undefined
  /** What its title and text are when they are empty. */
  inherited: { title: string; body: string } | undefined
  /** Where its page is. */
  path: string | undefined
  /** Its phone numbers that nobody can dial. */
  undialable: string[]
  country: string
}

/** What the editor of an entry needs beside the values that it shows. */
export async function loadEntryEditor(
  db: Db,
  { type, types, values }: { type: ContentType; types: readonly ContentType[]; values: EntryInput },
): Promise<EntryEditor> {
  const taxonomies = await listChoosableTaxonomies(db, type)
  const sources = await loadSources(db, type, types)
  const pair =
    type.slug === LOCATION_SERVICES ? loadPair(values, sources, await loadTree(db, taxonomies)) : undefined
  const settings = await findSiteSettings(db)
  const { country = DEFAULT_COUNTRY } = settings
  const inherited = pair ? inheritedValues(pair, settings) : {}
  const slug = pair ? `${pair.service?.slug}/${pair.place?.slug}` : values.slug
  return {
    taxonomies,
    pair,
    country,
    undialable: keysWithMeaning(type.slug, 'phone')
      .map((key) => String(values.fields[key] ?? ''))
      .filter((number) => number !== '' && toDialable(number, country) === undefined),
    inherited: pair && { title: inherited.title ?? '', body: inherited.body ?? '' },
    path: type.isRoutable && type.routePattern ? composeRoute(type.routePattern, slug) : undefined,
    fields: type.fields.map((field) => {
      const meaning = meaningOf(type.slug, field.key)
      const choices = meaning ? (sources.choices.get(meaning) ?? []) : []
      return { field, meaning, choices, inherited: inherited[field.key] }
    }),
  }
}

interface Sources {
  services: Entry[]
  choices: Map<FieldMeaning, Choice[]>
}

// Only what the fields of the type name is read.
async function loadSources(db: Db, type: ContentType, types: readonly ContentType[]): Promise<Sources> {
  const meanings = new Set(type.fields.map(({ key }) => meaningOf(type.slug, key)))
  const entriesOf = async (slug: string) => {
    const id = types.find((one) => one.slug === slug)?.id
    return id === undefined ? [] : listEntries(db, id)
  }
  const sources: Sources = { services: [], choices: new Map() }
  const byName = (name: string) => ({ value: name, label: name })
  sources.choices.set('icon', SERVICE_ICONS.map(byName))
  if (meanings.has('form')) {
    const forms = await listForms(db)
    sources.choices.set(
      'form',
      forms.map(({ slug, name }) => ({ value: slug, label: name })),
    )
  }
  if (meanings.has('picture')) {
    const pictures = await listPictures(db)
    sources.choices.set('picture', [...pictures.keys()].map(byName))
  }
  if (meanings.has('service') || meanings.has('service_id')) {
    sources.services = await entriesOf('services')
    sources.choices.set(
      'service',
      sources.services.map(({ slug, title }) => ({ value: slug, label: title })),
    )
    sources.choices.set(
      'service_id',
      sources.services.map(({ id, title }) => ({ value: String(id), label: title })),
    )
  }
  if (meanings.has('testimonial_ids')) {
    const testimonials = await entriesOf('testimonials')
    sources.choices.set(
      'testimonial_ids',
      testimonials.map(({ id, title, data }) => ({
        value: String(id),
        label: [title, data.author, data.place].filter(Boolean).join(', '),
      })),
    )
  }
  return sources
}

function loadPair(values: EntryInput, { services }: Sources, tree: TermTree): EntryEditor['pair'] {
  const { service_entry_id: serviceId, location_term_id: named } = values.fields
  const place = tree.byId.get(Number(named)) ?? tree.bySlug.get(String(named))
  const placeName = place?.slug ?? String(named ?? '')
  return { service: services.find(({ id }) => id === serviceId), place, placeName }
}

async function loadTree(db: Db, taxonomies: readonly ChoosableTaxonomy[]): Promise<TermTree> {
  const locations = taxonomies.find(({ taxonomy }) => taxonomy.slug === 'locations')
  return locations ? buildTermTree(locations.terms) : loadPlaces(db)
}

function inheritedValues(
  pair: NonNullable<EntryEditor['pair']>,
  settings: SiteSettings,
): Record<string, string | undefined> {
  if (!pair.place) return {}
  const site = { phone: null, openingHours: [], country: settings.country ?? DEFAULT_COUNTRY }
  const { city, region, intro } = toPlaceView(site, pair.place, { data: {} })
  const values = { city, region, intro, phone: settings.phone }
  const present = Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))
  const { service, place } = pair
  const ofService = service ? { title: `${service.title} in ${place.name}`, body: service.body } : {}
  return { ...Object.fromEntries(present), ...ofService }
}
