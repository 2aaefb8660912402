import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMissing } from '../../lib/is-missing.ts'
import { pageFile } from './page-file.ts'
import type { Release } from './release.ts'

const SITEMAP = /^sitemap-\d+\.xml$/
const ADDRESS = /<loc>([^<]*)<\/loc><lastmod>([^<]*)<\/lastmod>/g

/**
 * Finds since when a page has these bytes, from the sitemaps and files of a release without a ledger; undefined if
 * the bytes differ.
 */
export function openMoments(release: Release | undefined, siteUrl: string) {
  let moments: Map<string, string> | undefined
  return (path: string, bytes: Buffer): string | undefined => {
    if (!release) return undefined
    moments ??= readMoments(release, siteUrl)
    const moment = moments.get(path)
    const file = join(release.siteDir, pageFile(path))
    return moment !== undefined && !isMissing(file) && readFileSync(file).equals(bytes) ? moment : undefined
  }
}

function readMoments({ siteDir }: Release, siteUrl: string): Map<string, string> {
  const moments = new Map<string, string>()
  for (const name of readdirSync(siteDir).filter((file) => SITEMAP.test(file)))
    for (const [, address = '', moment = ''] of readFileSync(join(siteDir, name), 'utf8').matchAll(ADDRESS))
      if (address.startsWith(siteUrl)) moments.set(address.slice(siteUrl.length), moment)
  return moments
}
