import type { ComponentFacts } from './component-facts.ts'

/** Difference between two versions of a component, for an override of it. */
type ComponentChange =
  | { kind: 'gone' }
  | { kind: 'props'; added: string[]; removed: string[]; changed: string[] }
  /** Its props are the same, its source is not. */
  | { kind: 'source' }

/** Compares a component with a later one; undefined when they are the same. Props count as optional or not by their `?`. */
export function compareComponents(
  before: ComponentFacts,
  after: ComponentFacts | undefined,
): ComponentChange | undefined {
  if (!after) return { kind: 'gone' }
  if (before.hash === after.hash) return undefined
  const added = Object.keys(after.props).filter((name) => !(name in before.props))
  const removed = Object.keys(before.props).filter((name) => !(name in after.props))
  const changed = Object.entries(after.props).flatMap(([name, type]) =>
    name in before.props && before.props[name] !== type ? [name] : [],
  )
  if (added.length + removed.length + changed.length === 0) return { kind: 'source' }
  return { kind: 'props', added, removed, changed }
}

/** Lists the props that an override needs and its original does not get. */
export function missingProps(override: ComponentFacts['props'], original: ComponentFacts['props']): string[] {
  const known = new Set(Object.keys(original).map((name) => name.replace('?', '')))
  return Object.keys(override).filter((name) => !name.endsWith('?') && !known.has(name))
}
