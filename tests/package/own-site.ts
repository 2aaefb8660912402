import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { ownEnvironment } from '../support/own-environment.ts'
import { PROJECT_DIR, startSite } from '../support/running-site.ts'
import { checkOwnHooks, checkRefusedHooks, OWN_HOOKS } from './own-hooks.ts'
import { checkOwnPages, ISLAND_PACKAGES, OWN_PAGES } from './own-pages.ts'
import { checkOwnSections, OWN_SECTIONS, placeOwnSections } from './own-sections.ts'
import { checkOwnTemplates, checkOwnUpgrade } from './own-upgrade.ts'

test('a site made by signpost new from the packed program publishes, takes a lead, and replaces components', async (t) => {
  const { site, tarball } = makeSite(t)
  writeOwn(site, 'astro.config.mjs', CONFIGURATION)
  writeOwn(site, 'src/components/Header.astro', HEADER)
  writeOwn(site, 'src/components/LocationPage.astro', LOCATION_PAGE)
  for (const [path, text] of Object.entries({ ...OWN_PAGES, ...OWN_SECTIONS, ...OWN_HOOKS }))
    writeOwn(site, path, text)
  placeOwnSections(site)
  writeOwn(site, 'src/styles/site.css', 'h1 {\n  color: rgb(1, 2, 3);\n}\n')

  const { url } = await startSite(t, {
    siteDir: site,
    dataDir: join(site, 'data'),
    contentDir: join(site, 'content'),
  })
  const read = async (path: string) => (await fetch(`${url}${path}`)).text()

  const home = await read('/')
  assert.match(home, /Call us today.*Front Range Plumbing/s, 'the own header holds the original')
  const styles = await Promise.all(
    [...home.matchAll(/href="(\/_astro\/[^"]+\.css)"/g)].map(([, path = '']) => read(path)),
  )
  assert.ok(/h1\s*\{\s*color:\s*#010203/.test(styles.join('')), 'its own stylesheet is loaded')
  assert.match(
    await read('/services/drain-cleaning/denver'),
    /Drain cleaning near you: Drain Cleaning in Denver/i,
  )

  const answers = { full_name: 'Maria Sanchez', phone: '(303) 555-0102' }
  const posted = await fetch(`${url}/api/forms/quote/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answers),
  })
  assert.equal(posted.status, 201, await posted.text())
  await checkOwnHooks(t, { site, url })
  await checkOwnSections(t, { site, url })
  await checkOwnTemplates(t, { site, url })
  await checkOwnUpgrade(t, { site, tarball })
  await checkOwnPages(t, { site, url })
  await checkRefusedHooks(t, { site, url })
})

const CONFIGURATION = `import preact from '@astrojs/preact'
import { defineConfig } from 'astro/config'
import signpost from 'signpost'

export default defineConfig({
  integrations: [
    signpost({
      components: { Header: './src/components/Header.astro', LocationPage: './src/components/LocationPage.astro' },
    }),
    preact(),
  ],
})
`

const HEADER = `---
import Default from 'signpost/components/Header.astro'
---

<p>Call us today</p>
<Default {...Astro.props} />
`

const LOCATION_PAGE = `---
import OwnSection from 'signpost/components/OwnSection.astro'

const { view } = Astro.props
const { detail } = view
---

<h1>{detail.service.title} near you: {detail.heading}</h1>
{detail.sections.map((name) => <OwnSection {name} values={detail.ownSections} {view} />)}
`

/** Packs the program, makes a site that depends on the tarball, and installs it. */
function makeSite(t: TestContext): { site: string; tarball: string } {
  const folder = temporaryFolder(t)
  const run = (file: string, args: string[], cwd: string) =>
    execFileSync(file, args, {
      cwd,
      env: ownEnvironment({}),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], PROJECT_DIR).trim()
  const tarball = join(folder, packed.split('\n').at(-1) ?? '')
  assert.ok(existsSync(tarball), packed)
  const site = join(folder, 'site')
  run(process.execPath, ['scripts/new.ts', site, '--yes', '--package', `file:${tarball}`], PROJECT_DIR)
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...ISLAND_PACKAGES], site)
  return { site, tarball }
}

function writeOwn(site: string, path: string, text: string) {
  mkdirSync(dirname(join(site, path)), { recursive: true })
  writeFileSync(join(site, path), text)
}
