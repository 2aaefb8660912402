import { readFileSync } from 'node:fs'
import type { ComponentFacts } from './component-facts.ts'

interface NameChanges {
  added: readonly string[]
  removed: readonly string[]
}

/** Difference between two versions of a component that affects overrides. */
export type ComponentChange =
  | { kind: 'gone' }
  | { kind: 'parts'; props: NameChanges & { changed: readonly string[] }; slots: NameChanges }
  /** True if only its source changed, not its props and slots. */
  | { kind: 'source' }

/** Compares a component with a later version; undefined if they are the same. A `?` marks optional props. */
export function compareComponents(
  before: ComponentFacts,
  after: ComponentFacts | undefined,
): ComponentChange | undefined {
  if (!after) return { kind: 'gone' }
  if (before.hash === after.hash) return undefined
  const changed = Object.entries(after.props).flatMap(([name, type]) =>
    name in before.props && before.props[name] !== type ? [name] : [],
  )
  const props = { ...compareNames(Object.keys(before.props), Object.keys(after.props)), changed }
  const slots = compareNames(before.slots ?? after.slots ?? [], after.slots ?? [])
  const isSame = [...Object.values(props), ...Object.values(slots)].every((names) => names.length === 0)
  return isSame ? { kind: 'source' } : { kind: 'parts', props, slots }
}

function compareNames(before: readonly string[], after: readonly string[]): NameChanges {
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  }
}

/** True if a change removes props, or a slot that this override fills: it has to be changed before an upgrade. */
export function removesUsed(change: ComponentChange, file: string): boolean {
  if (change.kind !== 'parts') return false
  if (change.props.removed.length > 0) return true
  const text = change.slots.removed.length > 0 ? readFileSync(file, 'utf8') : ''
  return change.slots.removed.some((slot) => text.includes(`slot="${slot}"`))
}

/** Lists the props that an override requires but doesn't get. */
export function missingProps(override: ComponentFacts['props'], original: ComponentFacts['props']): string[] {
  const known = new Set(Object.keys(original).map((name) => name.replace('?', '')))
  return Object.keys(override).filter((name) => !name.endsWith('?') && !known.has(name))
}
