import type { Entry } from '../../entries/entry-store.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { type OwnText, ownTextOf } from '../../site/quality/own-texts.ts'

/**
 * Returns the ledger's record of an entry's own text; null without one. Equal texts with equal overlaps give equal
 * records.
 */
export function describeOwnText(entry: Entry, text: OwnText | undefined): string | null {
  return text ? JSON.stringify([shortHash(ownTextOf(entry)), text]) : null
}

/** Returns an entry's own text from the ledger; 'changed' if the entry has a different one now. */
export function readOwnText(entry: Entry, known: string | null): OwnText | undefined | 'changed' {
  const [hash, text]: [string?, OwnText?] = known === null ? [] : JSON.parse(known)
  const now = ownTextOf(entry)
  if (hash === undefined) return now === '' ? undefined : 'changed'
  return hash === shortHash(now) ? text : 'changed'
}
