import { shortHash } from '../../site/content/fingerprint.ts'

const PREFIX = 'component:'

/** Returns a component's key among the template parts. */
export function componentPart(name: string): string {
  return PREFIX + name
}

/** The components that a page shows, as stored in its record: one digit per component of the bundle, 1 if shown. */
type Shown = string | null

export type ShownComponents = ReturnType<typeof createShownComponents>

/** Distinguishes pages by which replaceable components they show. */
export function createShownComponents(parts: Readonly<Record<string, string>> = {}) {
  const all = Object.entries(parts).filter(([part]) => part.startsWith(PREFIX))
  const names = all.map(([part]) => part.slice(PREFIX.length))
  return {
    /** Returns the record of what a page showed; null for a site that can't replace any. */
    record(shown: ReadonlySet<string>): Shown {
      return names.length === 0 ? null : names.map((name) => (shown.has(name) ? '1' : '0')).join('')
    },
    /** Returns the fingerprint of a page with such a record; undefined if it is unknown what it shows. */
    fingerprint(fingerprint: string, shown: Shown): string | undefined {
      if (names.length === 0) return fingerprint
      if (shown === null) return undefined
      const replaced = all.filter(([, hash], index) => hash !== '' && shown[index] === '1')
      return replaced.length === 0 ? fingerprint : shortHash(JSON.stringify([fingerprint, replaced]))
    },
  }
}
