import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/database.ts'
import { PROJECT_DIR, startSite } from '../support/running-site.ts'
import { astroConfig, makeSite, packagesFor, packedProgram, run } from './made-site.ts'
import { checkOwnDevelopment } from './own-development.ts'
import { checkOwnFrame, OWN_FONT, OWN_FRAME, placeOwnFont } from './own-frame.ts'
import { checkOwnHooks, checkRefusedHooks, OWN_HOOKS } from './own-hooks.ts'
import { checkOwnIslands, FRAMEWORKS, MORE_PACKAGES, OWN_ISLANDS } from './own-islands.ts'
import { checkOwnMistakes, OWN_MISTAKES } from './own-mistakes.ts'
import { checkOwnPages, OTHER_FORMATS } from './own-pages.ts'
import { checkOwnPostgres } from './own-postgres.ts'
import { checkRefusals } from './own-refusals.ts'
import { checkOwnSections } from './own-sections.ts'
import { checkOwnTemplates, checkOwnUpgrade } from './own-upgrade.ts'

/** The tarball has 1.9 MB: a folder that nobody needs would show. */
const MOST_BYTES = 2_500_000

test('a site made by signpost new from the packed program publishes, takes a lead, and replaces components', async (t) => {
  const tarball = packedProgram()
  const folder = temporaryFolder(t)
  const own = { components: ['Navigation', 'Head'], settings: OWN_FONT }
  const configuration = { 'astro.config.mjs': astroConfig(FRAMEWORKS, own) }
  const files = {
    ...OWN_HOOKS,
    ...OWN_ISLANDS,
    ...OWN_MISTAKES,
    ...OWN_FRAME,
    ...OTHER_FORMATS,
    ...configuration,
  }
  const { site } = makeSite(folder, { tarball, files, packages: [packLook(folder), ...MORE_PACKAGES] })
  placeOwnFont(site)
  chooseLook(site)

  assert.ok(statSync(tarball).size < MOST_BYTES)
  const installed = packagesFor(site, 'signpost')
  assert.ok(installed.has('sharp') && installed.size > 200)
  for (const name of ['@biomejs/biome', 'playwright-core', 'typescript', 'vnu-jar'])
    assert.ok(!installed.has(name), `${name} is for work on the program`)

  const { url, output } = await startSite(t, {
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
  assert.match(home, /<div class="photo-stage">/, 'a look from a package has the top of pages')
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
  await checkOwnFrame(t, { url })
  await checkOwnHooks(t, { site, url, output })
  await checkOwnSections(t, { site, url })
  await checkOwnTemplates(t, { site, url })
  await checkOwnMistakes(t, { site, output })
  await checkRefusals(t, { site, url })
  await checkOwnUpgrade(t, { site, tarball })
  await checkOwnIslands(t, { url })
  await checkOwnPages(t, { site, url })
  await checkOwnDevelopment(t, { site })
  await checkOwnPostgres(t, { site })
  await checkRefusedHooks(t, { site, url })
})

// Packed as others would pack theirs.
function packLook(folder: string): string {
  const source = join(PROJECT_DIR, 'looks', 'photographic')
  return join(folder, run('npm', ['pack', '--silent', '--pack-destination', folder], source).trim())
}

function chooseLook(site: string) {
  const settings = join(site, 'content', 'site.yaml')
  const text = readFileSync(settings, 'utf8').replace(/^theme:\n(?: .*\n)+/m, '')
  writeFileSync(settings, `${text}theme:\n  preset: photographic\n`)
}
