import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkConfigurationFile } from '#src/integration/configuration-file.ts'
import { usageInSite, usages } from '#src/messages/command-line/usage.ts'
import { temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('a site has an astro.config.mjs: others are named with what to do', (t) => {
  const folder = temporaryFolder(t)
  assert.throws(() => checkConfigurationFile(folder), /no astro\.config\.mjs.*site’s folder/)
  for (const name of ['astro.config.ts', 'astro.config.mts', 'astro.config.js']) {
    const other = temporaryFolder(t)
    writeFileSync(join(other, name), '')
    assert.throws(() => checkConfigurationFile(other), {
      message: new RegExp(`Rename ${name} to astro\\.config\\.mjs`),
    })
  }
  writeFileSync(join(folder, 'astro.config.mjs'), '')
  checkConfigurationFile(folder)
})

test('signpost names the Node that it needs', () => {
  const older = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'version', { value: 'v20.20.2' })")}`
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', older, 'scripts/signpost.ts', ...args], {
      cwd: PROJECT_DIR,
      encoding: 'utf8',
    })
  const { status, stderr } = run('doctor')
  assert.equal(status, 1, stderr)
  assert.match(stderr, /needs Node >=26\.0\.0, but this is v20\.20\.2\. Run npx signpost/)
  assert.equal(run('new', '--help').status, 0)
})

test('the usage of each command fits a site with the program as a package', () => {
  assert.equal(usageInSite(usages.upgrade), 'npx signpost upgrade --check [--to SPEC] | --rename | --accept')
  assert.equal(usageInSite(usages.migrate), 'npx signpost migrate [--status | --to REVISION]')
  assert.equal(usageInSite(usages.start), 'npx signpost start')
  for (const usage of Object.values(usages))
    assert.doesNotMatch(
      usageInSite(typeof usage === 'string' ? usage : usage('NAMES')),
      /npm run|(^| |\[)-- /m,
    )
})
