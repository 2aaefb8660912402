import type { Named } from '../search/names-store.ts'

type Holder = Pick<Named, 'id' | 'name' | 'slugs' | 'former' | 'createdAt'>

/** Slug, name, and time stored with a lead for its place or service. */
export interface Sought {
  slug: string
  /** The name at the time; null in older leads. */
  name: string | null
  /** When the lead was sent; UTC text. */
  at: string
}

/**
 * Returns the ID of the place or service of a lead stored without one; 0 if that can't be determined. The slug's
 * current owner may have taken it over from another: then the name and the time decide.
 */
export function findHolder(all: readonly Holder[], { slug, name, at }: Sought): number {
  const current = all.find((one) => one.slugs[0] === slug)
  const former = all.filter((one) => one.slugs.includes(slug))
  const called = former.find((one) => hadName(one, slug, name))
  if (!current) return (called ?? former[0])?.id ?? 0
  if (name === null) return current.id
  // A place created after the lead is a different one, unless it was deleted and created again.
  if (current.createdAt > at) {
    const existed = former.filter((one) => one.createdAt <= at)
    const meant = existed.find((one) => hadName(one, slug, name)) ?? existed[0]
    return meant?.id ?? (current.name === name ? current.id : 0)
  }
  if (current.name === name || hadName(current, slug, name)) return current.id
  return (called ?? current).id
}

function hadName({ former }: Holder, slug: string, name: string | null): boolean {
  return former.some((one) => one.slug === slug && one.name === name)
}
