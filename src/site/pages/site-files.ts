import { chunksOf } from '../../lib/in-parts.ts'
import type { LayoutView } from './layout-view.ts'
import type { PageLink } from './page-link.ts'

/** The protocol's limit on addresses in one sitemap file. */
const ADDRESSES_PER_SITEMAP = 50_000

/** A page as the sitemap has it. */
export interface ListedAddress {
  path: string
  /** When its bytes last became others: UTC. */
  modifiedAt: string
}

/** Files of the site that are neither pages nor sitemaps, by path: robots.txt, llms.txt (contract §4). */
export function siteFiles(layout: LayoutView): Map<string, string> {
  return new Map([
    ['/robots.txt', robots(layout)],
    ['/llms.txt', llms(layout)],
  ])
}

/** The sitemaps and then their index, each with its path; one sitemap at a time is in memory. */
export function* sitemapFiles(
  siteUrl: string,
  pages: Iterable<ListedAddress>,
): Generator<[path: string, text: string]> {
  const sitemaps: ListedAddress[] = []
  for (const chunk of chunksOf(pages, ADDRESSES_PER_SITEMAP)) {
    const path = `/sitemap-${sitemaps.length}.xml`
    const modifiedAt = latestOf(chunk)
    sitemaps.push({ path, modifiedAt })
    yield [path, sitemap(siteUrl, chunk)]
  }
  yield ['/sitemap-index.xml', sitemapIndex(siteUrl, sitemaps)]
}

function latestOf(pages: readonly ListedAddress[]): string {
  let latest = ''
  for (const { modifiedAt } of pages) if (modifiedAt > latest) latest = modifiedAt
  return latest
}

// https://www.sitemaps.org/protocol.html
function sitemap(siteUrl: string, pages: readonly ListedAddress[]): string {
  const urls = pages.map((page) => `<url>${address(siteUrl, page)}</url>`)
  return `${XML}<urlset xmlns="${SITEMAP_NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`
}

function sitemapIndex(siteUrl: string, pages: readonly ListedAddress[]): string {
  const sitemaps = pages.map((page) => `<sitemap>${address(siteUrl, page)}</sitemap>`)
  return `${XML}<sitemapindex xmlns="${SITEMAP_NAMESPACE}">\n${sitemaps.join('\n')}\n</sitemapindex>\n`
}

function address(siteUrl: string, { path, modifiedAt }: ListedAddress): string {
  const moment = modifiedAt && `<lastmod>${modifiedAt}</lastmod>`
  return `<loc>${escapeXml(siteUrl + path)}</loc>${moment}`
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
