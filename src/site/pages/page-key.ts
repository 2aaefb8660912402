import type { Entry } from '../../entries/entry-store.ts'
import type { Form } from '../../forms/form.ts'
import type { Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'

// Keys identify rows by ID: a page keeps its key when the slugs in its address change, so that its old address can
// redirect to the new one.

export function entryKey(entry: Pick<Entry, 'id'>): string {
  return `entry:${entry.id}`
}

/** Returns the key of a service in a place, which stays the same even if the entry is deleted and created again. */
export function placeKey(service: Pick<Entry, 'id'>, place: Pick<TermNode, 'id'>): string {
  return `place:${service.id}:${place.id}`
}

/** Returns the entry that a key identifies; undefined for keys of other pages. */
export function entryIdOfKey(key: string): number | undefined {
  const [, id] = /^entry:(\d+)$/.exec(key) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Returns the service and place that a key identifies; undefined for keys of other pages. */
export function placeOfKey(key: string): { serviceId: number; locationId: number } | undefined {
  const [, serviceId, locationId] = /^place:(\d+):(\d+)$/.exec(key) ?? []
  return serviceId === undefined
    ? undefined
    : { serviceId: Number(serviceId), locationId: Number(locationId) }
}

export function formKey(form: Pick<Form, 'id'>): string {
  return `form:${form.id}`
}

export function thanksKey(form: Pick<Form, 'id'>): string {
  return `thanks:${form.id}`
}

export function taxonomyKey(taxonomy: Pick<Taxonomy, 'id'>): string {
  return `taxonomy:${taxonomy.id}`
}

export function termKey(term: Pick<TermNode, 'id'>): string {
  return `term:${term.id}`
}

/** Returns the key of the page that lists the services in a place. */
export function areaKey(place: Pick<TermNode, 'id'>): string {
  return `area:${place.id}`
}

/** Returns the key of one part of a long list of places: the part that starts with this place. */
export function areaPartKey(first: Pick<TermNode, 'id'>): string {
  return `areas-from:${first.id}`
}

/** Returns the key of a page with a fixed address. */
export function fixedKey(path: string): string {
  return `fixed:${path}`
}
