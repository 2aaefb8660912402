import { createHash } from 'node:crypto'
import { Failure } from '../../lib/messages.ts'
import { publishFailures } from '../../messages/server/publishing.ts'
import type { PageChange } from '../plan/plan-release.ts'
import type { Approved } from '../record-publish.ts'

type MadePages = Iterable<Pick<PageChange, 'change' | 'path' | 'bytesHash'>>

/** Returns a SHA-256 over all pages that differ from the live ones: their addresses and hashes. */
export function hashPages(changes: MadePages): string {
  const hash = createHash('sha256')
  for (const { change, path, bytesHash } of changes)
    if (change !== 'same') hash.update(`${change}\t${path}\t${bytesHash}\n`)
  return hash.digest('hex')
}

/** Throws if the pages differ from the approved ones. */
export function checkApproved(approved: Approved | undefined, made: MadePages): void {
  if (approved && hashPages(made) !== approved.pagesHash) throw new Failure(publishFailures, 'notApproved')
}
