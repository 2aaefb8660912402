import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { INSTALLED_PROGRAM, scriptEnvironment } from '../support/running-site.ts'
import { buildOwnSite, CLOSED, changedPages } from './own-pages.ts'

const COMPONENTS = 'package/src/integration/components.js'
const HEADER = 'package/src/components/site/SiteHeader.astro'

/** Checks what an upgrade to a version with another header and one migration more says, and that Astro names the header. */
export async function checkOwnUpgrade(t: TestContext, { site, tarball }: { site: string; tarball: string }) {
  const run = (...args: string[]) => {
    const [dataDir, contentDir] = [join(site, 'data'), join(site, 'content')]
    const env = scriptEnvironment({ dataDir, contentDir })
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: site, env, encoding: 'utf8' })
    return { status, text: stdout + stderr }
  }

  await t.test('signpost upgrade --check lists replaced components, imports, and migrations', () => {
    const same = run(INSTALLED_PROGRAM, 'upgrade', '--check', '--to', tarball)
    assert.equal(same.status, 0, same.text)
    assert.match(same.text, /same in both versions.*No migrations.*no changed or removed formats/s)
    const later = run(INSTALLED_PROGRAM, 'upgrade', '--check', '--to', laterVersion(site, tarball))
    assert.equal(later.status, 1, later.text)
    assert.match(later.text, /0\.1\.0 with 0\.2\.0/)
    assert.match(
      later.text,
      /src\/components\/Header\.astro replaces Header: new props frame; removed props layout/,
    )
    assert.match(later.text, /LocationPage\.astro imports signpost\/components\/OwnSection\.astro/)
    assert.match(
      later.text,
      /1 migration when Signpost next starts: 9990_later.*open the database after 9990_later/s,
    )
    assert.doesNotMatch(later.text, /replaces LocationPage/)
    for (const file of ['astro.config.mjs', 'src/components/Faq.astro', 'src/components/LocationPage.astro'])
      assert.ok(later.text.includes(`--rename replaces old names in ${file}`), later.text)
  })

  await t.test('signpost upgrade --rename replaces old names with those of the installed version', () => {
    const installed = join(site, 'node_modules/signpost', COMPONENTS)
    const files = ['astro.config.mjs', 'src/components/Faq.astro', 'src/components/LocationPage.astro']
    const [names, ...texts] = [installed, ...files.map((file) => join(site, file))].map((file) =>
      readFileSync(file, 'utf8'),
    )
    assert.match(run(INSTALLED_PROGRAM, 'upgrade', '--rename').text, /any old names/)
    const renamed = `RENAMED = [{ kind: 'component', from: 'Faq', to: 'Questions' }]`
    writeFileSync(installed, String(names).replace(/RENAMED\b[^=]*= \[\]/, renamed))
    const { status, text } = run(INSTALLED_PROGRAM, 'upgrade', '--rename')
    assert.equal(status, 0, text)
    for (const file of files) assert.ok(text.includes(`Replaced old names in ${file}`), text)
    assert.match(
      readFileSync(join(site, 'astro.config.mjs'), 'utf8'),
      /Questions: '\.\/src\/components\/Faq\.astro'/,
    )
    writeFileSync(installed, String(names))
    for (const [index, file] of files.entries()) writeFileSync(join(site, file), String(texts[index]))
  })

  await t.test('signpost upgrade --accept ends the warning about an earlier version', () => {
    const accepted = run(INSTALLED_PROGRAM, 'upgrade', '--accept')
    assert.equal(accepted.status, 0, accepted.text)
    const { text } = run('node_modules/astro/bin/astro.mjs', 'sync')
    assert.match(text, /needs the prop "tone"/)
    assert.doesNotMatch(text, /was written for/)
  })
}

/** Checks that a component which is replaced, and then changes, renders the pages that show it, and nothing else. */
export async function checkOwnTemplates(t: TestContext, { site, url }: { site: string; url: string }) {
  const places = ['', '/aurora', '/boulder', '/denver'].map((place) => `/services/water-heaters${place}`)
  const showQuestions = ['/', ...places]

  await t.test('replacing a component renders only the pages that show it', async () => {
    const file = join(site, 'src/components/Faq.astro')
    writeFileSync(
      file,
      `---\nimport Default from 'signpost/components/Faq.astro'\n---\n\n<Default {...Astro.props} />\n<p>Call us with others</p>\n`,
    )
    const configuration = join(site, 'astro.config.mjs')
    const text = readFileSync(configuration, 'utf8')
    writeFileSync(configuration, text.replace('{ Header:', "{ Faq: './src/components/Faq.astro', Header:"))
    buildOwnSite(site, url)
    assert.deepEqual(changedPages(site), showQuestions)
    assert.ok(showQuestions.length <= countPages(site) / 4)
    for (const path of showQuestions)
      assert.match(await (await fetch(url + path, CLOSED)).text(), /Call us with others/)
  })

  await t.test('editing a replaced page renders only pages of its kind', () => {
    const file = join(site, 'src/components/LocationPage.astro')
    writeFileSync(file, readFileSync(file, 'utf8').replace(' near you: ', ' close to you: '))
    buildOwnSite(site, url)
    const drains = places.map((path) => path.replace('water-heaters', 'drain-cleaning'))
    assert.deepEqual(changedPages(site), [...drains.slice(1), ...places.slice(1)])
  })
}

function countPages(site: string): number {
  const ledger = new SqliteDatabase(join(site, 'data/ledger.db'), { readonly: true })
  const count = ledger.prepare('select count(*) from pages').pluck().get() as number
  ledger.close()
  return count
}

// The same program with other facts.
function laterVersion(site: string, tarball: string): string {
  const later = join(site, 'later.tgz')
  const script = `
    set -e; rm -rf later && mkdir later && tar -xzf "${tarball}" -C later
    sed -i 's/^  layout: /  frame: /' later/package/${HEADER}
    sed -i 's/"version": "0.1.0"/"version": "0.2.0"/; /components\\/OwnSection.astro/d' later/package/package.json
    echo 'export const contracts = true' > later/package/package/migrations/9990_later.js
    sed -i "s/RENAMED *= \\[\\]/RENAMED = [{ kind: 'component', from: 'Faq', to: 'Questions' }]/" later/package/${COMPONENTS}
    tar -czf later.tgz -C later package && rm -rf later`
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: site, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return later
}
