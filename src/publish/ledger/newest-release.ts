import { isMissing } from '../../lib/is-missing.ts'
import { type FileRecord, listFiles } from './file-store.ts'
import { type Ledger, ledgerFile, openLedger, readFacts } from './ledger-store.ts'
import type { PageRecord } from './page-record.ts'
import { listPages } from './page-store.ts'

/** Pages and files of a release, with their hashes. */
export interface ReleaseRecords {
  pages: PageRecord[]
  files: FileRecord[]
}

/** Contents of the newest release of a folder. */
export function readNewest(dataDir: string): ReleaseRecords {
  using ledger = openLedger(ledgerFile(dataDir))
  return recordsOf(ledger)
}

/** Returns the contents of a release; undefined unless it is the newest in the ledger. */
export function readRecords(dataDir: string, release: { id: string }): ReleaseRecords | undefined {
  if (isMissing(ledgerFile(dataDir))) return undefined
  using ledger = openLedger(ledgerFile(dataDir))
  // Another process may record the next release at any moment.
  ledger.exec('begin')
  return readFacts(ledger, release) && recordsOf(ledger)
}

function recordsOf(ledger: Ledger): ReleaseRecords {
  return { pages: [...listPages(ledger)], files: listFiles(ledger) }
}

export function readPages(dataDir: string): PageRecord[] {
  return readNewest(dataDir).pages
}
