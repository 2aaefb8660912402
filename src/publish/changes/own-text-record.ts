import type { Entry } from '../../entries/entry-store.ts'
import { shortHash } from '../../site/content/fingerprint.ts'
import { type OwnText, ownTextOf } from '../../site/quality/own-texts.ts'

/** What the ledger keeps of an entry's own text: null without one. The same for the same text beside the same others. */
export function describeOwnText(entry: Entry, text: OwnText | undefined): string | null {
  return text ? JSON.stringify([shortHash(ownTextOf(entry)), text]) : null
}

/** What the ledger knows of the own text of an entry; 'changed' when the entry says something else now. */
export function readOwnText(entry: Entry, known: string | null): OwnText | undefined | 'changed' {
  const [hash, text]: [string?, OwnText?] = known === null ? [] : JSON.parse(known)
  const now = ownTextOf(entry)
  if (hash === undefined) return now === '' ? undefined : 'changed'
  return hash === shortHash(now) ? text : 'changed'
}
