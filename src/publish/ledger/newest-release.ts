import { type FileRecord, listFiles } from './file-store.ts'
import { ledgerFile, openLedger } from './ledger-store.ts'
import type { PageRecord } from './page-record.ts'
import { listPages } from './page-store.ts'

/** Contents of the newest release of a folder. */
export function readNewest(dataDir: string): { pages: PageRecord[]; files: FileRecord[] } {
  const ledger = openLedger(ledgerFile(dataDir))
  try {
    return { pages: [...listPages(ledger)], files: listFiles(ledger) }
  } finally {
    ledger.close()
  }
}

export function readPages(dataDir: string): PageRecord[] {
  return readNewest(dataDir).pages
}
