import { isMissing } from '../../lib/is-missing.ts'
import type { LoggedChange, LogPosition } from '../changes/change-store.ts'
import { openSources } from '../ledger/file-store.ts'
import { ledgerFile, openLedger, readFacts } from '../ledger/ledger-store.ts'
import type { PageRecord } from '../ledger/page-record.ts'
import { openKnownPages } from '../ledger/page-store.ts'
import { findCurrentRelease } from '../release/release.ts'

/** Facts of the live release, for finding changes since then. */
export interface LiveRecord {
  position: LogPosition
  /** Changes published on their own, after the position. */
  ahead: readonly LoggedChange[]
  /** Returns true if a change is live although it was saved after the position. */
  hasPublished(change: LoggedChange): boolean
  /** Returns the page of an entry. */
  findPage(entryId: number): Pick<PageRecord, 'key' | 'path'> | undefined
  /** Returns a source's name on the live site, such as `term:7`; undefined if it has no such source. */
  findName(source: string): string | undefined
  /** Returns the mark of a source on the live site; undefined as above. */
  findMark(source: string): string | undefined
}

/** Runs work with the facts of the live release; undefined before the first publish and after a rollback. */
export async function withLiveRecord<T>(
  dataDir: string,
  work: (record: LiveRecord | undefined) => Promise<T>,
): Promise<T> {
  const release = findCurrentRelease(dataDir)
  if (!release || isMissing(ledgerFile(dataDir))) return work(undefined)
  using ledger = openLedger(ledgerFile(dataDir))
  const facts = readFacts(ledger, release)
  if (!facts) return await work(undefined)
  const ahead = new Map((facts.ahead ?? []).map((one) => [keyOf(one), one.changeId]))
  const find = openSources(ledger)
  const pages = openKnownPages(ledger)
  return await work({
    ...{ position: facts.position, ahead: facts.ahead ?? [] },
    hasPublished: (change) => (ahead.get(keyOf(change)) ?? 0) >= change.changeId,
    findPage: pages.findOf,
    findName: (source) => find(source)?.label,
    findMark: (source) => find(source)?.hash,
  })
}

function keyOf({ subject, subjectId }: Pick<LoggedChange, 'subject' | 'subjectId'>): string {
  return `${subject}:${subjectId}`
}
