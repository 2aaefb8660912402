import { reportTexts as texts } from './reports.ts'
import { describeSource } from './sources.ts'

/** Names of services and places by key. */
interface Names {
  services: ReadonlyMap<string, string>
  places: ReadonlyMap<string, readonly string[]>
}

/** Returns the label of a source of views or leads. */
export function sourceLabel(source: string): string {
  if (source === 'onsite') return texts.onsite
  return source === 'other' ? texts.other : describeSource(source)
}

/** Returns the name of a service by its key in results. */
export function serviceLabel(key: string, { services }: Names): string {
  if (key === '') return texts.none
  return services.get(key) ?? (key.startsWith('#') ? texts.deletedService : key.replace('=', ''))
}

/** Returns the name of a place with the places above it: `Ennis · County Clare`. */
export function placeLabel(key: string, { places }: Names): string {
  return key === '' ? texts.none : (places.get(key)?.join(' · ') ?? texts.deletedPlace)
}
