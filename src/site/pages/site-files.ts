import { crc32 } from 'node:zlib'
import type { LayoutView } from './layout-view.ts'
import type { PageLink } from './page-link.ts'

// The protocol allows 50,000. With smaller files, a changed page rewrites less.
const ADDRESSES_PER_SITEMAP = 10_000
const PART_BITS = 16
const PARTS = 2 ** PART_BITS

/** A page in the sitemap. */
export interface ListedAddress {
  path: string
  /** When its bytes last changed; UTC. */
  modifiedAt: string
}

/** Files of the site that are neither pages nor sitemaps, by path: robots.txt, llms.txt (contract §4). */
export function siteFiles(layout: LayoutView): Map<string, string> {
  return new Map([
    ['/robots.txt', robots(layout)],
    ['/llms.txt', llms(layout)],
  ])
}

/**
 * Returns a number from 0 to 65,535, evenly spread, that decides which sitemap a page is in, independent of other
 * pages.
 */
export function sitemapPart(path: string): number {
  return crc32(path) >>> PART_BITS
}

/** A sitemap for the pages numbered from `from` up to `to`. */
export interface SitemapParts {
  /** `/sitemap-0.xml` */
  path: string
  from: number
  to: number
}

/**
 * Divides this many pages into sitemaps. Their number doubles as needed, so a few more or fewer pages rarely change
 * the division.
 */
export function listSitemapParts(listed: number): SitemapParts[] {
  let count = 1
  while (listed > count * ADDRESSES_PER_SITEMAP && count < PARTS) count *= 2
  const size = PARTS / count
  return Array.from({ length: count }, (_, number) => ({
    path: `/sitemap-${number}.xml`,
    from: number * size,
    to: (number + 1) * size,
  }))
}

/** Returns all sitemaps of these pages and their index, each with its path. */
export function* sitemapFiles(
  siteUrl: string,
  pages: readonly ListedAddress[],
): Generator<[path: string, text: string]> {
  const sitemaps: ListedAddress[] = []
  for (const { path, from, to } of listSitemapParts(pages.length)) {
    const listed = pages.filter((page) => sitemapPart(page.path) >= from && sitemapPart(page.path) < to)
    sitemaps.push({ path, modifiedAt: latestOf(listed) })
    yield [path, sitemap(siteUrl, listed)]
  }
  yield [SITEMAP_INDEX, sitemapIndex(siteUrl, sitemaps)]
}

export const SITEMAP_INDEX = '/sitemap-index.xml'

/** Returns the time of the latest change of these pages. */
export function latestOf(pages: readonly ListedAddress[]): string {
  let latest = ''
  for (const { modifiedAt } of pages) if (modifiedAt > latest) latest = modifiedAt
  return latest
}

/** A sitemap: https://www.sitemaps.org/protocol.html */
export function sitemap(siteUrl: string, pages: readonly ListedAddress[]): string {
  const urls = pages.map((page) => `<url>${address(siteUrl, page)}</url>`)
  return `${XML}<urlset xmlns="${SITEMAP_NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`
}

/** The sitemap index. */
export function sitemapIndex(siteUrl: string, pages: readonly ListedAddress[]): string {
  const sitemaps = pages.map((page) => `<sitemap>${address(siteUrl, page)}</sitemap>`)
  return `${XML}<sitemapindex xmlns="${SITEMAP_NAMESPACE}">\n${sitemaps.join('\n')}\n</sitemapindex>\n`
}

function address(siteUrl: string, { path, modifiedAt }: ListedAddress): string {
  const moment = modifiedAt && `<lastmod>${modifiedAt}</lastmod>`
  return `<loc>${escapeXml(siteUrl + encodeURI(path))}</loc>${moment}`
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

function robots({ siteUrl }: LayoutView): string {
  return `User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap-index.xml\n`
}

// https://llmstxt.org
function llms({ siteName, siteUrl, tagline, services, navigation }: LayoutView): string {
  const summary = tagline ? `\n> ${tagline}\n` : ''
  return `# ${siteName}\n${summary}\n## Services\n\n${markdownLinks(siteUrl, services)}\n\n## Pages\n\n${markdownLinks(
    siteUrl,
    navigation.map(({ label, path }) => ({ name: label, path })),
  )}\n`
}

function markdownLinks(siteUrl: string, links: readonly PageLink[]): string {
  return links.map(({ name, path }) => `- [${name}](${new URL(path, siteUrl)})`).join('\n')
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
