import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { INSTALLED_PROGRAM, scriptEnvironment } from '../support/running-site.ts'

/** Packages that the island needs, beside the program. */
export const ISLAND_PACKAGES = ['preact@10.29.8', '@astrojs/preact@5.0.1']

/** For requests beside commands that block this process: meanwhile the server ends a connection that waits. */
export const CLOSED = { headers: { connection: 'close' } }

/** A content type, a page with an island that lists its entries, a page for each of them, and a feed. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  'content/content_types/projects.yaml':
    'name: Projects\nis_routable: false\nschema:\n  fields:\n    - { key: year, label: Year, type: number, required: true }\n',
  'content/projects/roof.md': aProject('School roof'),
  'src/components/Counter.jsx': `import { useState } from 'preact/hooks'

export default function Counter() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>Clicked {count} times</button>
}
`,
  'src/pages/jobs/index.astro': `---
import Layout from 'signpost/components/Layout.astro'
import { getEntries, getPageView } from 'signpost/content'
import Counter from '../../components/Counter.jsx'

const projects = await getEntries('projects')
const view = await getPageView({ path: Astro.url.pathname, title: 'Our work', description: 'What we did.' })
---

<Layout view={view}>
  <h1>Our work</h1>
  {projects.map(({ slug, title, data }) => <a href={\`/jobs/\${slug}\`}>{title}, {data.year}</a>)}
  <Counter client:load />
</Layout>
`,
  'src/pages/jobs/[slug].astro': `---
import { getEntries } from 'signpost/content'

export async function getStaticPaths() {
  const projects = await getEntries('projects')
  return projects.map(({ slug, title, html }) => ({ params: { slug }, props: { title, html } }))
}

const { title, html } = Astro.props
---

<html lang="en">
  <head><title>{title}</title><meta name="robots" content="noindex"></head>
  <body><h1>{title}</h1><Fragment set:html={html} /></body>
</html>
`,
  'src/pages/feed.xml.ts': `import { getEntries } from 'signpost/content'

export async function GET() {
  const items = (await getEntries('projects')).map(({ title }) => \`<item>\${title}</item>\`)
  return new Response(\`<rss>\${items.join('')}</rss>\`)
}
`,
  'src/pages/prices.astro': `---
import { getServices, getSite } from 'signpost/content'

const services = await getServices()
const site = await getSite()
---

<html lang="en"><head><title>Prices</title></head><body><h1>{services.length} services of {site.name} at {site.url}</h1></body></html>
`,
}

/** Pages in other formats than .astro, with a picture, and files in `public` that other services look for. */
export const OTHER_FORMATS: Readonly<Record<string, string>> = {
  'src/assets/van.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"></svg>\n',
  'src/pages/van.astro': `---
import { Image, Picture } from 'astro:assets'
import van from '../assets/van.svg'
---

<html lang="en">
  <head><title>Our van</title></head>
  <body><Image src={van} alt="A van" width={300} /><Picture src={van} alt="Again" widths={[200, 400]} sizes="50vw" /></body>
</html>
`,
  'src/pages/terms.html':
    '<html lang="en"><head><title>Terms</title></head><body><p>Plain</p></body></html>\n',
  'src/pages/notes.md': '# Plain notes\n',
  'src/layouts/Letter.astro': `---
import Layout from 'signpost/components/Layout.astro'
import { getPageView } from 'signpost/content'

const { title } = Astro.props.frontmatter
const view = await getPageView({ path: Astro.url.pathname, title, description: 'A letter.' })
---

<Layout view={view}><p class="letter"><slot /></p></Layout>
<style>
  .letter { color: rgb(4, 5, 6) }
</style>
`,
  'src/pages/a-letter.md': '---\ntitle: A letter\nlayout: ../layouts/Letter.astro\n---\n\nDear all\n',
  'public/proof.html': '<p>proof</p>\n',
  'public/.well-known/links.json': '{}\n',
  'public/Our prices.pdf': '%PDF\n',
}

/** Checks the own pages of a site that runs, and what an edit renders again. */
export async function checkOwnPages(t: TestContext, { site, url }: { site: string; url: string }) {
  const read = async (path: string) => (await fetch(url + path, CLOSED)).text()

  await t.test('custom pages are in the release, with content, feed, and sitemap', async () => {
    assert.match(await read('/jobs'), /School roof, 2026.*Front Range Plumbing/s)
    assert.match(await read('/jobs/roof'), /<h1>School roof<\/h1><p>Of <strong>metal<\/strong>/)
    assert.ok((await read('/prices')).includes(`<h1>2 services of Front Range Plumbing at ${url}</h1>`))
    assert.equal(await read('/feed.xml'), '<rss><item>School roof</item></rss>')
    const sitemap = await read('/sitemap-0.xml')
    assert.ok(sitemap.includes(`${url}/jobs<`) && sitemap.includes(`${url}/prices<`), sitemap)
    assert.ok(!sitemap.includes('/jobs/roof') && !sitemap.includes('feed.xml'), sitemap)
  })

  await t.test(
    'pages in HTML and Markdown, pictures of astro:assets, and files in public are served',
    async () => {
      assert.match(await read('/terms'), /<p>Plain<\/p>/)
      assert.match(await read('/notes'), /<h1 id="plain-notes">Plain notes<\/h1>/)
      assert.match(await read('/a-letter'), /\.css"[^>]*>.*<\/head>.*Dear all/s)
      assert.doesNotMatch(bodyOf(await read('/a-letter')), STYLES)
      assert.doesNotMatch(bodyOf(await read('/services')), STYLES, 'the header is shared by all pages')
      const [, picture = ''] = /<img src="([^"]+)"/.exec(await read('/van')) ?? []
      assert.match(picture, /^\/_astro\//)
      const paths = [picture, '/proof', '/.well-known/links.json', '/Our%20prices.pdf']
      for (const path of paths) assert.equal((await fetch(url + path, CLOSED)).status, 200, path)
    },
  )

  await t.test('an edit renders only the pages that read it', () => {
    writeFileSync(join(site, 'content/projects/roof.md'), aProject('Tin roof'))
    buildOwnSite(site, url)
    assert.deepEqual(changedPages(site), ['/feed.xml', '/jobs', '/jobs/roof'])
  })

  await t.test('npx astro build makes the same pages', () => {
    buildByAstro(site, url)
    for (const file of [
      'jobs.html',
      'jobs/roof.html',
      'prices.html',
      'van.html',
      'terms.html',
      'a-letter.html',
      'feed.xml',
      'sitemap-0.xml',
    ])
      assert.equal(
        withoutMoments(readFileSync(join(site, 'built/client', file), 'utf8')),
        withoutMoments(readFileSync(join(site, 'data/current/site', file), 'utf8')),
        file,
      )
  })

  await t.test('generated types match the site’s content types', () => {
    const types = readFileSync(join(site, '.astro/integrations/signpost_own-pages/content.d.ts'), 'utf8')
    assert.match(types, /"projects": \{ year: number \}/)
  })
}

const STYLES = /<link[^>]*rel="stylesheet"/

function bodyOf(html: string): string {
  return html.slice(html.indexOf('<body'))
}

function aProject(title: string): string {
  return `---\ntitle: ${title}\nstatus: published\nyear: 2026\n---\n\nOf **metal**.\n`
}

/** Publishes a site that runs. */
export function buildOwnSite(site: string, url: string, settings: Settings = {}) {
  run(site, url, [INSTALLED_PROGRAM, 'build'], settings)
}

/** Runs `npx astro build`. */
export function buildByAstro(site: string, url: string) {
  run(site, url, ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', 'built'])
}

interface Settings {
  dataDir?: string
  environment?: Record<string, string>
}

function run(site: string, url: string, args: string[], settings: Settings = {}) {
  const { dataDir = join(site, 'data') } = settings
  const contentDir = join(site, 'content')
  const environment = { SITE_URL: url, ...settings.environment }
  execFileSync(process.execPath, args, {
    cwd: site,
    env: scriptEnvironment({ dataDir, contentDir, environment }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Lists the pages that the last publish added, changed, or removed. */
export function changedPages(site: string): string[] {
  const lines = readFileSync(join(site, 'data/current/changes.tsv'), 'utf8').trim().split('\n')
  return lines.flatMap((line) => line.split('\t').find((part) => part.startsWith('/')) ?? []).sort()
}

// `astro build` knows no earlier release.
function withoutMoments(text: string): string {
  return text.replace(/<lastmod>[^<]*<\/lastmod>/g, '')
}
