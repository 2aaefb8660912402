import { isMissing } from '../../lib/is-missing.ts'
import type { LoggedChange, LogPosition } from '../changes/change-store.ts'
import { openFormerPages } from '../ledger/former-pages-store.ts'
import { ledgerFile, openLedger, readFactsOf } from '../ledger/ledger-store.ts'
import { findCurrentRelease } from '../release/release.ts'

/** The parts of the live release that states need. */
export interface LiveSite {
  position: LogPosition
  /** UTC text. */
  shownAt: string
  /** Changes published on their own, after the position. */
  ahead: readonly LoggedChange[]
  /** Returns those of these entries that visitors see, on their own page or on others. */
  listLive(entryIds: readonly number[]): Set<number>
}

/**
 * Runs work with the live release. `undefined` means that the site has no release, `unknown` that its ledger is
 * missing. After a rollback it is the older release.
 */
export async function withLiveSite<T>(
  dataDir: string,
  work: (site: LiveSite | 'unknown' | undefined) => Promise<T>,
): Promise<T> {
  const release = findCurrentRelease(dataDir)
  if (!release) return work(undefined)
  if (isMissing(ledgerFile(dataDir))) return work('unknown')
  using ledger = openLedger(ledgerFile(dataDir))
  const known = readFactsOf(ledger, release)
  if (!known) return await work('unknown')
  const { position, shownAt, ahead = [] } = known.facts
  const pages = openFormerPages(ledger, known.number)
  return await work({ position, shownAt, ahead, listLive: pages.listEntries })
}

/** Returns those of these entries that visitors see; all of them if the live release is unknown. */
export function listLiveEntries(dataDir: string, ids: readonly number[]): Promise<Set<number>> {
  return withLiveSite(dataDir, async (site) =>
    site === undefined ? new Set<number>() : site === 'unknown' ? new Set(ids) : site.listLive(ids),
  )
}
