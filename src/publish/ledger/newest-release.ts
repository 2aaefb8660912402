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
  const ledger = openLedger(ledgerFile(dataDir))
  try {
    return recordsOf(ledger)
  } finally {
    ledger.close()
  }
}

/** Returns the contents of a release; undefined unless it is the newest in the ledger. */
export function readRecords(dataDir: string, release: { id: string }): ReleaseRecords | undefined {
  if (isMissing(ledgerFile(dataDir))) return undefined
  const ledger = openLedger(ledgerFile(dataDir))
  try {
    // Another process may record the next release at any moment.
    ledger.exec('begin')
    return readFacts(ledger, release) && recordsOf(ledger)
  } finally {
    ledger.close()
  }
}

function recordsOf(ledger: Ledger): ReleaseRecords {
  return { pages: [...listPages(ledger)], files: listFiles(ledger) }
}

export function readPages(dataDir: string): PageRecord[] {
  return readNewest(dataDir).pages
}
