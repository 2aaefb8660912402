import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { PageChange } from '../plan/plan-release.ts'
import type { Approved } from '../record-publish.ts'
import { pageFile } from '../release/page-file.ts'

interface MadePages {
  /** The live release they were compared with. */
  releaseId: string | undefined
  /** Folder of the pages. */
  siteDir: string
  changes: Iterable<Pick<PageChange, 'change' | 'path'>>
}

/** Returns a SHA-256 over the live release and the addresses and bytes of all pages that differ from it. */
export function hashPages({ releaseId, siteDir, changes }: MadePages): string {
  const hash = createHash('sha256').update(`${releaseId}\n`)
  for (const { change, path } of changes) {
    if (change === 'same') continue
    const bytes = change === 'removed' ? '' : readFileSync(join(siteDir, pageFile(path)))
    hash.update(`${change}\t${path}\t${createHash('sha256').update(bytes).digest('hex')}\n`)
  }
  return hash.digest('hex')
}

/** Throws if the pages differ from the approved ones. */
export function checkApproved(approved: Approved | undefined, made: MadePages): void {
  if (approved && hashPages(made) !== approved.pagesHash) throw new Failure(publishFailures, 'notApproved')
}
