import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { joinPolicies, policyOfPage } from '../../site/tags/inline-policy.ts'
import type { TagPolicy } from '../../site/tags/tag-policy.ts'
import { readPages } from '../ledger/newest-release.ts'
import { pageFile } from '../release/page-file.ts'
import type { Release } from '../release/release.ts'

/** Returns what the site's own pages run inline. A static host has one policy for all pages. */
export function policyOfOwnPages({ siteDir }: Release, { dataDir }: { dataDir: string }): TagPolicy {
  const own = readPages(dataDir).filter(({ path, reads }) => reads !== null && !path.includes('.'))
  return joinPolicies(
    own.map(({ path }) => policyOfPage(readFileSync(join(siteDir, pageFile(path)), 'utf8'))),
  )
}
