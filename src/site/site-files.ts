import type { LayoutView } from './layout-view.ts'
import type { PageLink } from './page-link.ts'

/** The protocol's limit on addresses in one sitemap file. */
const ADDRESSES_PER_SITEMAP = 50_000

/** Files of the site that are not pages, by path: sitemaps, robots.txt, llms.txt (contract §4). */
export function siteFiles(layout: LayoutView, listedPaths: readonly string[]): Map<string, string> {
  const chunks = chunksOf(listedPaths, ADDRESSES_PER_SITEMAP)
  const sitemaps = chunks.map((paths, index) => [`/sitemap-${index}.xml`, sitemap(layout, paths)] as const)
  return new Map([
    ...sitemaps,
    [
      '/sitemap-index.xml',
      sitemapIndex(
        layout,
        sitemaps.map(([path]) => path),
      ),
    ],
    ['/robots.txt', robots(layout)],
    ['/llms.txt', llms(layout)],
  ])
}

// https://www.sitemaps.org/protocol.html
function sitemap({ siteUrl }: LayoutView, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${escapeXml(siteUrl + path)}</loc></url>`)
  return `${XML}<urlset xmlns="${SITEMAP_NAMESPACE}">\n${urls.join('\n')}\n</urlset>\n`
}

function sitemapIndex({ siteUrl }: LayoutView, paths: readonly string[]): string {
  const sitemaps = paths.map((path) => `<sitemap><loc>${escapeXml(siteUrl + path)}</loc></sitemap>`)
  return `${XML}<sitemapindex xmlns="${SITEMAP_NAMESPACE}">\n${sitemaps.join('\n')}\n</sitemapindex>\n`
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

function escapeXml(text: string): string {
  return text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const count = Math.max(1, Math.ceil(items.length / size))
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
