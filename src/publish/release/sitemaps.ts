import {
  latestOf,
  listSitemapParts,
  SITEMAP_INDEX,
  type SitemapParts,
  sitemap,
  sitemapIndex,
} from '../../site/pages/site-files.ts'
import { listSitemaps, saveSitemaps } from '../ledger/file-store.ts'
import type { Ledger } from '../ledger/ledger-store.ts'
import { listListed } from '../ledger/page-store.ts'
import type { SiteParts } from './site-parts.ts'

interface Listed {
  siteUrl: string
  /** Number of pages in the sitemaps. */
  listed: number
  /** Parts whose sitemap entries changed; undefined for all. */
  moved: readonly number[] | undefined
}

/** Writes the sitemaps that differ, and their index. */
export function writeSitemaps(parts: SiteParts, ledger: Ledger, { siteUrl, listed, moved }: Listed): void {
  const before = listSitemaps(ledger)
  const cut = listSitemapParts(listed)
  const isKept = ({ path, from, to }: SitemapParts) =>
    before.size === cut.length &&
    before.has(path) &&
    moved?.some((part) => part >= from && part < to) === false
  const sitemaps = new Map<string, string>()
  for (const one of cut) {
    const pages = isKept(one) ? undefined : listListed(ledger, one)
    if (pages) parts.write(one.path.slice(1), sitemap(siteUrl, pages))
    sitemaps.set(one.path, pages ? latestOf(pages) : (before.get(one.path) ?? ''))
  }
  for (const path of before.keys()) if (!sitemaps.has(path)) parts.remove(path.slice(1))
  const listedFiles = [...sitemaps].map(([path, modifiedAt]) => ({ path, modifiedAt }))
  parts.write(SITEMAP_INDEX.slice(1), sitemapIndex(siteUrl, listedFiles))
  saveSitemaps(ledger, sitemaps)
}
