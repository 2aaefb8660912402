import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { scriptEnvironment } from '../support/running-site.ts'
import { buildOwnSite, changedPages } from './own-pages.ts'

const PROGRAM = 'node_modules/signpost/package/scripts/signpost.js'
const HEADER = 'package/src/components/site/SiteHeader.astro'

/** Checks what an upgrade to a version with another header and one migration more says, and that Astro names the header. */
export async function checkOwnUpgrade(t: TestContext, { site, tarball }: { site: string; tarball: string }) {
  const run = (...args: string[]) => {
    const [dataDir, contentDir] = [join(site, 'data'), join(site, 'content')]
    const env = scriptEnvironment({ dataDir, contentDir })
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: site, env, encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }

  await t.test('signpost upgrade --check names replaced components, imports, and migrations', () => {
    const same = run(PROGRAM, 'upgrade', '--check', '--to', tarball)
    assert.equal(same.status, 0, same.text)
    assert.match(same.text, /same in both versions.*No migrations/s)
    const later = run(PROGRAM, 'upgrade', '--check', '--to', laterVersion(site, tarball))
    assert.equal(later.status, 1, later.text)
    assert.match(later.text, /0\.1\.0 with 0\.2\.0/)
    assert.match(
      later.text,
      /src\/components\/Header\.astro replaces Header: new props frame; removed props layout/,
    )
    assert.match(later.text, /LocationPage\.astro imports signpost\/components\/OwnSection\.astro/)
    assert.match(later.text, /1 migration at the next start: 9990_later/)
    assert.doesNotMatch(later.text, /replaces LocationPage/)
  })

  await t.test('Astro names a component that was written for another version', () => {
    const accepted = run(PROGRAM, 'upgrade', '--accept')
    assert.equal(accepted.status, 0, accepted.text)
    const file = join(site, 'signpost.overrides.json')
    const record = JSON.parse(readFileSync(file, 'utf8'))
    record.Header = { version: '0.0.9', hash: 'earlier', props: { ...record.Header.props, banner: 'string' } }
    writeFileSync(file, JSON.stringify(record))
    const { text } = run('node_modules/astro/bin/astro.mjs', 'sync')
    assert.match(
      text,
      /src\/components\/Header\.astro was written for Header of Signpost 0\.0\.9: removed props banner/,
    )
  })
}

/** Checks that another location page renders the location pages again, and nothing else. */
export async function checkOwnTemplates(t: TestContext, { site, url }: { site: string; url: string }) {
  await t.test('a replaced component that changes renders the pages of its kind, and no other', () => {
    const file = join(site, 'src/components/LocationPage.astro')
    writeFileSync(file, readFileSync(file, 'utf8').replace(' near you: ', ' close to you: '))
    buildOwnSite(site, url)
    const services = ['drain-cleaning', 'water-heaters'].map((service) => `/services/${service}`)
    const places = services.flatMap((path) =>
      ['aurora', 'boulder', 'denver'].map((place) => `${path}/${place}`),
    )
    assert.deepEqual(changedPages(site), places)
  })
}

// The same program with other facts.
function laterVersion(site: string, tarball: string): string {
  const later = join(site, 'later.tgz')
  const script = `
    set -e; rm -rf later && mkdir later && tar -xzf "${tarball}" -C later
    sed -i 's/^  layout: /  frame: /' later/package/${HEADER}
    sed -i 's/"version": "0.1.0"/"version": "0.2.0"/; /components\\/OwnSection.astro/d' later/package/package.json
    touch later/package/package/migrations/9990_later.js
    tar -czf later.tgz -C later package && rm -rf later`
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: site, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return later
}
