import { listFormChoices } from '../../forms/form-list-store.ts'
import { referenceTexts } from '../../messages/admin/entry-problems.ts'
import { findEntryById, listEntriesById } from '../entry-lookup-store.ts'
import { loadPlaces } from '../offers/load-places.ts'
import { SERVICES, TESTIMONIALS } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { labelOfSection, listSections, NO_SECTIONS, type PageKind } from '../types/page-sections.ts'
import { turnedOff } from '../types/read-order.ts'
import { SERVICE_ICONS } from '../types/service-icons.ts'
import { entriesOf, type FieldMeaning } from './meaning.ts'

/** A form, by slug. */
export const form: FieldMeaning = {
  named: (slug) => ({ to: 'form', slug }),
  missing: ([name = '']) => ({ code: 'no_form', params: { name } }),
  choices: async (db) => (await listFormChoices(db)).map(({ slug, name }) => ({ value: slug, label: name })),
  control: 'menu',
}

/** An icon, by name. */
export const icon: FieldMeaning = {
  named: (name) => ({ to: 'one_of', noun: 'icon', name, names: SERVICE_ICONS }),
  missing: ([name = '']) => ({ code: 'no_icon', params: { name, icons: SERVICE_ICONS } }),
  choices: async () => SERVICE_ICONS.map((name) => ({ value: name, label: name })),
  control: 'menu',
}

/** A file of `pictures/`, by name. */
export const picture: FieldMeaning = {
  named: (name) => ({ to: 'picture', name: name.normalize('NFC') }),
  missing: ([name = '']) => ({ code: 'no_picture', params: { name } }),
  control: 'picture',
}

/** A service, by slug. */
export const service: FieldMeaning = {
  named: (slug) => ({ to: 'entry', type: SERVICES, slug }),
  missing: ([name = '']) => ({ code: 'no_service', params: { name } }),
  choices: async (db, types) =>
    (await entriesOf(db, SERVICES, types)).map(({ slug, title }) => ({ value: slug, label: title })),
  control: 'menu',
  nothing: referenceTexts.none,
}

/** A location service's service, by ID. */
export const serviceId: FieldMeaning = {
  ids: 'entries',
  inFiles: 'path',
  resolve: async (db, id) => {
    const type = await findContentType(db, SERVICES)
    const entry = Number.isSafeInteger(id) ? await findEntryById(db, Number(id)) : undefined
    const isService = type !== undefined && entry?.typeId === type.id
    return isService ? { value: id } : { fault: { code: 'service_not_chosen' } }
  },
  choices: async (db, types) =>
    (await entriesOf(db, SERVICES, types)).map(({ id, title }) => ({ value: String(id), label: title })),
  control: 'apart',
}

/** A location service's place, by ID. The admin uses its slug, because a list of all IDs would be long. */
export const locationId: FieldMeaning = {
  ids: 'terms',
  inFiles: 'path',
  posted: 'text',
  resolve: async (db, slugOrId) => {
    const places = await loadPlaces(db)
    const place =
      typeof slugOrId === 'number' ? places.byId.get(slugOrId) : places.bySlug.get(String(slugOrId))
    const name = String(slugOrId)
    return place ? { value: place.id } : { fault: { code: 'no_place', params: { name } } }
  },
  control: 'apart',
}

/** Testimonials by comma-separated IDs; in files, a list of slugs. */
export const testimonialIds: FieldMeaning = {
  ids: 'entries',
  named: (slug) => ({ to: 'entry', type: TESTIMONIALS, slug }),
  isList: true,
  inFiles: 'slugs',
  idsOf: TESTIMONIALS,
  posted: 'ids',
  resolve: async (db, list) => {
    const type = await findContentType(db, TESTIMONIALS)
    const ids = [...new Set(String(list).split(',').map(Number))]
    const known = await listEntriesById(db, ids.filter(Number.isSafeInteger))
    if (type && ids.every((id) => known.get(id)?.typeId === type.id)) return { value: ids.join(',') }
    return { fault: { code: 'testimonial_gone' } }
  },
  choices: async (db, types) =>
    (await entriesOf(db, TESTIMONIALS, types)).map(({ id, title, data }) => ({
      value: String(id),
      label: [...new Set([title, data.author, data.place])].filter(Boolean).join(', '),
    })),
  control: 'apart',
}

/** Place patterns. */
export const places: FieldMeaning = {
  named: (pattern) => ({ to: 'locations', pattern }),
  isList: true,
  missing: (patterns) => ({ code: 'no_places', params: { patterns } }),
  control: 'places',
  label: referenceTexts.places.label,
  help: referenceTexts.places.hint,
}

/** The sections of a page of this kind, in order. */
export const sections = (kind: PageKind): FieldMeaning => ({
  named: (name) => ({
    ...{ to: 'one_of', noun: 'section', name },
    names: [...listSections(kind), ...listSections(kind).map(turnedOff), NO_SECTIONS],
  }),
  isList: true,
  missing: ([name = '']) => ({ code: 'no_section', params: { name, sections: listSections(kind) } }),
  choices: async () => listSections(kind).map((name) => ({ value: name, label: labelOfSection(name) })),
  control: 'sections',
  pageKind: kind,
})

/** A number that visitors dial. */
export const phone: FieldMeaning = {
  named: (number, key) => ({ to: 'phone', name: key, number }),
  isDialed: true,
}

/** A value that few pages need. */
export const advanced: FieldMeaning = { isAdvanced: true }
