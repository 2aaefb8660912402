import { shortHash } from '../../site/content/fingerprint.ts'

const PREFIX = 'component:'

/** Returns the key of a component among the parts of templates. */
export function componentPart(name: string): string {
  return PREFIX + name
}

/** Components that a page shows, as its record keeps them: a digit for each of the bundle, 1 where it shows it. */
type Shown = string | null

export type ShownComponents = ReturnType<typeof createShownComponents>

/** Tells pages apart by the components that they show, of those that a site can replace. */
export function createShownComponents(parts: Readonly<Record<string, string>> = {}) {
  const all = Object.entries(parts).filter(([part]) => part.startsWith(PREFIX))
  const names = all.map(([part]) => part.slice(PREFIX.length))
  return {
    /** The record of what a page showed; null in a site that can't replace any. */
    record(shown: ReadonlySet<string>): Shown {
      return names.length === 0 ? null : names.map((name) => (shown.has(name) ? '1' : '0')).join('')
    },
    /** The fingerprint of a page with such a record; undefined where nobody knows what it shows. */
    fingerprint(fingerprint: string, shown: Shown): string | undefined {
      if (names.length === 0) return fingerprint
      if (shown === null) return undefined
      const replaced = all.filter(([, hash], index) => hash !== '' && shown[index] === '1')
      return replaced.length === 0 ? fingerprint : shortHash(JSON.stringify([fingerprint, replaced]))
    },
  }
}
