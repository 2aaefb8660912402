import type { Db } from '../db/schema.ts'
import type { EntryInput } from '../entries/editing/entry-input.ts'
import { findEntryById } from '../entries/entry-lookup-store.ts'
import type { Entry } from '../entries/entry-store.ts'
import type { Choice, FieldMeaning } from '../entries/meanings/meaning.ts'
import { loadPlaces } from '../entries/offers/load-places.ts'
import { type ChoosableTaxonomy, listChoosableTaxonomies } from '../entries/terms/entry-terms.ts'
import { dialedKeys, meaningOf, rulesOf } from '../entries/types/builtin/registry.ts'
import type { Inheritance } from '../entries/types/builtin/type-rules.ts'
import type { ContentType } from '../entries/types/content-type-store.ts'
import { isEmpty } from '../entries/types/field-values.ts'
import { sectionsOf } from '../entries/types/page-sections.ts'
import { composeRoute } from '../entries/types/route-pattern.ts'
import type { SchemaField } from '../entries/types/schema-field.ts'
import { DEFAULT_COUNTRY } from '../lib/locale/locale.ts'
import { toDialable } from '../lib/locale/phone-number.ts'
import { namesInText, namesInValues } from '../pictures/named-pictures.ts'
import { loadPictureChoices, type PictureChoices, undescribedAmong } from '../pictures/picture-choices.ts'
import type { LibraryPicture } from '../pictures/picture-store.ts'
import { LOCATIONS } from '../taxonomies/place-kind.ts'
import { buildTermTree, type TermNode, type TermTree } from '../taxonomies/term-tree.ts'
import { toPlaceView } from './pages/location-service-page.ts'
import { spokenName } from './settings/setting-field.ts'
import type { SiteSettings } from './settings/site-settings.ts'
import { findSiteSettings } from './settings/site-settings-store.ts'

const INHERITED_PICTURES = ['hero', 'gallery', 'before_picture', 'after_picture']

/** A field of a type as its editor shows it. */
export interface EditorField {
  field: SchemaField
  meaning: FieldMeaning | undefined
  /** Choices of a field that refers to something. */
  choices: Choice[]
  /** Content that the page shows if the field is empty (§2.9 rule 5). */
  inherited: string | undefined
  /** For a list of sections: the site's own sections. */
  usual?: readonly string[]
}

export interface EntryEditor {
  fields: EditorField[]
  taxonomies: ChoosableTaxonomy[]
  /** Of a location service. */
  pair: { service: Entry | undefined; place: TermNode | undefined; placeName: string } | undefined
  /** Title and text used when its own are empty. */
  inherited: { title: string; body: string } | undefined
  /** Path of its page. */
  path: string | undefined
  pictures: PictureChoices
  /** Pictures that it shows without any description. */
  undescribed: LibraryPicture[]
  /** Its phone numbers that can't be dialed. */
  undialable: string[]
  country: string
}

/** Loads everything the editor of an entry shows besides its values. */
export async function loadEntryEditor(
  db: Db,
  { type, types, values }: { type: ContentType; types: readonly ContentType[]; values: EntryInput },
): Promise<EntryEditor> {
  const taxonomies = await listChoosableTaxonomies(db, type)
  const { inherits } = rulesOf(type.slug)
  const pair =
    inherits && (await loadPair(db, values, { inherits, types, tree: await loadTree(db, taxonomies) }))
  const settings = await findSiteSettings(db)
  const { country = DEFAULT_COUNTRY } = settings
  const inherited = {
    ...(pair ? inheritedValues(pair, settings) : {}),
    ...inheritedInSections(type, [pair?.service?.data ?? {}, settings.home]),
  }
  const shown = namesWithoutAlt(values)
  const pictures = await loadPictureChoices(db, [...namesInValues(values.fields).union(shown)])
  const slug = pair ? `${pair.service?.slug ?? ''}/${pair.place?.slug ?? ''}` : values.slug
  return {
    taxonomies: taxonomies.filter((one) => isSelected(one, type, values)),
    pair,
    country,
    undialable: dialedKeys(type.slug)
      .map((key) => String(values.fields[key] ?? ''))
      .filter((number) => number !== '' && toDialable(number, country) === undefined),
    inherited: pair && { title: inherited.title ?? '', body: inherited.body ?? '' },
    path: type.isRoutable && type.routePattern ? composeRoute(type.routePattern, slug) : undefined,
    pictures,
    undescribed: undescribedAmong(pictures, shown),
    fields: await loadFields(db, { type, types, inherited, settings }),
  }
}

// Other fields name the places of services and local pages. A second selection would only classify them for archives.
function isSelected(
  { taxonomy, terms }: ChoosableTaxonomy,
  { slug, fields }: ContentType,
  { termIds }: EntryInput,
): boolean {
  const namesPlaces = fields.some(({ key }) => {
    const meaning = meaningOf(slug, key)
    return meaning?.control === 'places' || meaning?.ids === 'terms'
  })
  const isElsewhere = namesPlaces && taxonomy.slug === LOCATIONS
  return !isElsewhere || taxonomy.hasArchive || terms.some(({ id }) => termIds.includes(id))
}

// Pictures with a description of their own in this entry don't need the library's.
function namesWithoutAlt({ body, fields }: EntryInput): Set<string> {
  const { picture, picture_alt: alt, ...others } = fields
  const unnamed = [...body.matchAll(/!\[\s*\]\([^)]*\)/g)].map(([image]) => image).join('\n')
  return namesInValues(alt ? others : { picture, ...others }).union(namesInText(unnamed))
}

async function loadFields(
  db: Db,
  {
    type,
    types,
    inherited,
    settings,
  }: {
    type: ContentType
    types: readonly ContentType[]
    inherited: Record<string, string | undefined>
    settings: SiteSettings
  },
) {
  const fields: EditorField[] = []
  for (const field of type.fields) {
    const meaning = meaningOf(type.slug, field.key)
    const choices = (await meaning?.choices?.(db, types)) ?? choicesOf(field)
    const { pageKind } = meaning ?? {}
    const usual = pageKind && sectionsOf(pageKind, undefined, settings.sections)
    const label = meaning?.label ?? field.label
    fields.push({
      field: { ...field, label },
      meaning,
      choices,
      inherited: inherited[field.key],
      ...(usual && { usual }),
    })
  }
  return fields
}

// As text, as inputs show it; a list of items has no text form.
function inheritedInSections(
  { fields }: ContentType,
  from: readonly Readonly<Record<string, unknown>>[],
): Record<string, string> {
  const own = fields.filter(({ section, fields: parts }) => section !== undefined && !parts)
  return Object.fromEntries(
    own.flatMap(({ key }) => {
      const value = from.map((values) => values[key]).find((found) => !isEmpty(found))
      return value === undefined ? [] : [[key, [value].flat().join(', ')]]
    }),
  )
}

function choicesOf({ options = [] }: SchemaField): Choice[] {
  return options.map((value) => ({ value, label: spokenName(value) }))
}

async function loadPair(
  db: Db,
  { fields: { service_entry_id: serviceId, location_term_id: named } }: EntryInput,
  { inherits, types, tree }: { inherits: Inheritance; types: readonly ContentType[]; tree: TermTree },
): Promise<EntryEditor['pair']> {
  const place = tree.byId.get(Number(named)) ?? tree.bySlug.get(String(named))
  const entry = Number.isSafeInteger(serviceId) ? await findEntryById(db, Number(serviceId)) : undefined
  const typeId = types.find(({ slug }) => slug === inherits.of)?.id
  const service = entry?.typeId === typeId ? entry : undefined
  return { service, place, placeName: place?.slug ?? String(named ?? '') }
}

async function loadTree(db: Db, taxonomies: readonly ChoosableTaxonomy[]): Promise<TermTree> {
  const locations = taxonomies.find(({ taxonomy }) => taxonomy.slug === LOCATIONS)
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
  const ofService = service
    ? { title: `${service.title} in ${place.name}`, body: service.body, ...picturesOf(service) }
    : {}
  return { ...Object.fromEntries(present), ...ofService }
}

// Their names; the editor states what a page shows when its own field is empty.
function picturesOf({ data }: Entry): Record<string, string> {
  return Object.fromEntries(
    INHERITED_PICTURES.flatMap((key) => {
      const names = [data[key] ?? []].flat().join(', ')
      return names === '' ? [] : [[key, names]]
    }),
  )
}
