import type { ComponentFacts } from './component-facts.ts'

/** Difference between two versions of a component that affects overrides. */
type ComponentChange =
  | { kind: 'gone' }
  | { kind: 'props'; added: string[]; removed: string[]; changed: string[] }
  /** True if only its source changed, not its props. */
  | { kind: 'source' }

/** Compares a component with a later version; undefined if they are the same. A `?` marks optional props. */
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

/** Lists the props that an override requires but doesn't get. */
export function missingProps(override: ComponentFacts['props'], original: ComponentFacts['props']): string[] {
  const known = new Set(Object.keys(original).map((name) => name.replace('?', '')))
  return Object.keys(override).filter((name) => !name.endsWith('?') && !known.has(name))
}
