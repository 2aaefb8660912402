import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import { listNamedFiles } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { openKnownPages } from '../ledger/page-store.ts'
import { pagePath } from './page-file.ts'

/**
 * Returns how many HTML files of a site aren't pages: those in `public`. Throws if one of its files has the address of
 * a page, which it would replace.
 */
export function countDocuments(ledger: Ledger): number {
  const pages = openKnownPages(ledger)
  const files = listNamedFiles(ledger)
  for (const file of files) {
    const path = pagePath(file)
    if (pages.find(path)) throw new Failure(ownPageFailures, 'fileTaken', file, path)
  }
  return files.filter((file) => file.endsWith('.html')).length
}
