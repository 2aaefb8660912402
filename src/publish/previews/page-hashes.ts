import { createHash } from 'node:crypto'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { PageChange } from '../plan/plan-release.ts'
import type { Approved } from '../record-publish.ts'

interface MadePages {
  /** The live release they were compared with. */
  releaseId: string | undefined
  changes: Iterable<Pick<PageChange, 'change' | 'path' | 'bytesHash'>>
}

/** Returns a SHA-256 over the live release and all pages that differ from it: their addresses and hashes. */
export function hashPages({ releaseId, changes }: MadePages): string {
  const hash = createHash('sha256').update(`${releaseId}\n`)
  for (const { change, path, bytesHash } of changes)
    if (change !== 'same') hash.update(`${change}\t${path}\t${bytesHash}\n`)
  return hash.digest('hex')
}

/** Throws if the pages differ from the approved ones. */
export function checkApproved(approved: Approved | undefined, made: MadePages): void {
  if (approved && hashPages(made) !== approved.pagesHash) throw new Failure(publishFailures, 'notApproved')
}
