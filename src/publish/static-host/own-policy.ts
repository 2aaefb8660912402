import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteHooks } from '../../site/hooks/load-hooks.ts'
import { hasExtension } from '../../site/own-pages/own-page.ts'
import { joinPolicies, policyOfPage } from '../../site/tags/inline-policy.ts'
import type { TagPolicy } from '../../site/tags/tag-policy.ts'
import { readPages } from '../ledger/newest-release.ts'
import { pageFile } from '../release/page-file.ts'
import type { Release } from '../release/release.ts'

/** Returns what the site's own pages and hooks run and load. A static host has one policy for all pages. */
export function policyOfOwnPages({ siteDir }: Release, { dataDir }: { dataDir: string }): TagPolicy {
  const isEvery = siteHooks().head !== undefined
  const own = readPages(dataDir).filter(
    ({ path, reads }) => (isEvery || reads !== null) && !hasExtension(path),
  )
  return joinPolicies(
    own.map(({ path }) => policyOfPage(readFileSync(join(siteDir, pageFile(path)), 'utf8'))),
  )
}
