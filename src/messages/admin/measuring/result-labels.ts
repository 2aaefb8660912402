import { reportTexts as texts } from './reports.ts'
import { describeSource } from './sources.ts'

interface Place {
  /** Key of the place. */
  subject: string
  names: readonly string[]
  /** True for the place without its areas. */
  isItself: boolean
}

/** Returns the label of a source of views or leads. */
export function sourceLabel(source: string): string {
  if (source === 'onsite') return texts.onsite
  return source === 'other' ? texts.other : describeSource(source)
}

/** Returns the name of a service by its key in results. */
export function serviceLabel(key: string, names: ReadonlyMap<string, string>): string {
  if (key === '') return texts.none
  return names.get(key) ?? (key.startsWith('#') ? texts.deletedService : key.replace('=', ''))
}

/** Returns the name of a place with the places above it, such as `Ennis · County Clare`. */
export function placeLabel({ subject, names, isItself }: Place): string {
  const [name, ...above] = names
  if (name === undefined) return subject === '' ? texts.none : texts.deletedPlace
  return [isItself ? texts.itself(name) : name, ...above].join(' · ')
}

/** Returns the name of a place below a listed one. */
export function placeLabelInTree({ depth, names, ...place }: Place & { depth: number }): string {
  return placeLabel({ ...place, names: depth === 0 ? names : names.slice(0, 1) })
}
