import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { buildByAstro, buildOwnSite } from './own-pages.ts'

const TAKEN = 'src/pages/services/[name].astro'
const ON_REQUEST = 'src/pages/today.ts'
const NO_ADDRESS = 'public/price#1.txt'
const BARE = 'src/pages/rates.ts'
const SAME_ADDRESS = 'content/pages/warranty.md'
const [ONE, TWO] = ['src/components/One.astro', 'src/components/Two.astro']

/** Pages that can't be published. All are in one build, so the content decides which of the last three fails. */
const REFUSED: Readonly<Record<string, string>> = {
  [TAKEN]: '<html lang="en"><head><title>A</title></head></html>\n',
  [ON_REQUEST]: `export const prerender = false\n\nexport const GET = () => new Response(String(Date.now()))\n`,
  [NO_ADDRESS]: 'Prices\n',
  [SAME_ADDRESS]: '---\ntitle: Warranty\nstatus: published\n---\n',
  'src/pages/warranty.astro': '<html lang="en"><head><title>A</title></head></html>\n',
  'src/prices.ts': `interface Price {
  amount?: { text: string }
}

export function textOf(price: Price): string {
  return price.amount!.text
}
`,
  'src/pages/broken.astro': pageOf(
    "title === 'Throwing' && textOf({})",
    "import { textOf } from '../prices.ts'",
  ),
  'src/pages/closed.astro': pageOf("title === 'Closed' && (Astro.response.status = 404)"),
  'src/pages/kept.astro': pageOf(
    "title === 'Kept' && Astro.response.headers.set('cache-control', 'no-store')",
  ),
  'src/pages/known.astro': pageOf("title === 'Known' && Astro.cookies.set('a', 'b')"),
  [ONE]: "---\nimport Two from './Two.astro'\n---\n<p>One</p>\n<Two />\n",
  [TWO]: "---\nimport One from './One.astro'\n---\n<p>Two</p>\n<One />\n",
  'src/pages/endless.astro': pageOf(
    "title === 'Endless' && <One />",
    "import One from '../components/One.astro'",
  ),
}

// With the title of the only project.
function pageOf(part: string, imports = ''): string {
  const [from, read] = ["'signpost/content'", "await getEntries('projects')"]
  return `---\nimport { getEntries } from ${from}\n${imports}\n\nconst [{ title }] = ${read}\n---\n<p>{${part}}</p>\n`
}

/** Checks that a publish names the pages of a site that it refuses, with their files. */
export async function checkRefusals(t: TestContext, { site, url }: { site: string; url: string }) {
  const refuses = (stderr: RegExp) => assert.throws(() => buildOwnSite(site, url), { stderr })
  const project = join(site, 'content/projects/roof.md')
  const text = readFileSync(project, 'utf8')
  const call = (title: string) => writeFileSync(project, text.replace(/^title: .*/m, `title: ${title}`))
  for (const [path, text] of Object.entries(REFUSED)) {
    mkdirSync(dirname(join(site, path)), { recursive: true })
    writeFileSync(join(site, path), text)
  }

  await t.test('a page at a reserved or taken address, or rendered on request, stops the publish', () => {
    refuses(/src\/pages\/services\/\[name\]\.astro uses the address/)
    rmSync(join(site, TAKEN))
    refuses(/src\/pages\/today\.ts exports prerender = false/)
    rmSync(join(site, ON_REQUEST))
    refuses(/public\/price#1\.txt has a name that can’t be part of a URL/)
    rmSync(join(site, NO_ADDRESS))
    refuses(/both have the address \/warranty/)
    rmSync(join(site, SAME_ADDRESS))
  })

  await t.test('an endpoint without an extension stops a publish and npx astro build', () => {
    writeFileSync(join(site, BARE), 'export const GET = () => Response.json([])\n')
    const message = /The endpoint \/rates has no file extension/
    refuses(message)
    assert.throws(() => buildByAstro(site, url), { stderr: message })
    rmSync(join(site, BARE))
  })

  await t.test('a page that throws stops a publish with the file and line of its source', () => {
    call('Throwing')
    const message =
      /The page \/broken can’t be rendered: src\/prices\.ts:6: Cannot read properties of undefined/
    refuses(message)
  })

  await t.test('a page with a status stops a publish and npx astro build', () => {
    call('Closed')
    const message = /The page \/closed\S* returned status 404, but a published page always has status 200/
    refuses(message)
    assert.throws(() => buildByAstro(site, url), { stderr: message })
  })

  await t.test('a page with a header or a cookie stops a publish and npx astro build', () => {
    for (const [title, page, name] of [
      ['Kept', 'kept', 'cache-control'],
      ['Known', 'known', 'set-cookie'],
    ] as const) {
      call(title)
      const message = new RegExp(`The page /${page}\\S* sets the header ${name}`)
      refuses(message)
      assert.throws(() => buildByAstro(site, url), { stderr: message })
    }
  })

  await t.test('components that show each other end a publish with their files', () => {
    call('Endless')
    refuses(new RegExp(`/endless .*: ${ONE} → ${TWO} → ${ONE}`))
  })

  writeFileSync(project, text)
  for (const path of Object.keys(REFUSED)) rmSync(join(site, path), { force: true })
}
