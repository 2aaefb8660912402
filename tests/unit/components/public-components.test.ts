import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import packageFile from '#package.json' with { type: 'json' }
import { siteFiles } from '#scripts/new/site-files.ts'
import { PACKED_SCRIPTS } from '#scripts/package/packed-scripts.ts'
import { SITE_COMMANDS } from '#scripts/site-commands.ts'
import { COMPONENTS } from '#src/integration/components.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'

test('a site can import every component that it can replace', () => {
  const exported = Object.entries(packageFile.exports).flatMap(([name, file]) => {
    const [, component] = /^\.\/components\/(\w+)\.astro$/.exec(name) ?? []
    return component ? [[component, file.replace('./package/src/', '')]] : []
  })
  assert.deepEqual(Object.fromEntries(exported), COMPONENTS)
})

test('the package can be published: public, with a version, a license, and its exports', () => {
  assert.equal('private' in packageFile, false)
  const { name, version, license, bin, exports, files } = packageFile
  assert.deepEqual([name, license, Object.keys(bin)], ['signpost', 'MIT', ['signpost']])
  assert.match(version, /^\d+\.\d+\.\d+$/)
  assert.deepEqual(files, [
    'CHANGELOG.md',
    'content/README.md',
    'docs/*.md',
    'docs/reference',
    'looks',
    'package',
  ])
  const packed = [...Object.values(exports), ...Object.values(bin)].filter(
    (path) => !/\*|package\.json/.test(path),
  )
  const missing = packed.filter((path) => !existsSync(join(PROJECT_DIR, sourceOf(path))))
  assert.deepEqual(missing, [])
})

test('a site can run every packed script, as `signpost <command>` and as an npm script', () => {
  const packed = Object.entries(packageFile.scripts).flatMap(([name, command]) => {
    const [, file] = /^node scripts\/(\S+\.ts)$/.exec(command) ?? []
    return file && PACKED_SCRIPTS.test(file) ? [name] : []
  })
  assert.deepEqual(SITE_COMMANDS.toSorted(), packed.sort())
  const { 'package.json': made = '{}' } = siteFiles({ name: 'A', spec: '1.0.0' })
  assert.deepEqual(Object.keys(JSON.parse(made).scripts), SITE_COMMANDS)
})

test('the version is the newest one in the changelog', () => {
  const changelog = readFileSync(join(PROJECT_DIR, 'CHANGELOG.md'), 'utf8')
  const [newest] = changelog.match(/(?<=^## )\d[^ ]*/m) ?? []
  assert.equal(newest, packageFile.version)
})

// `npm run prepack` compiles it.
function sourceOf(path: string): string {
  return path.replace('/package/', '/').replace(/\.js$/, '.ts')
}
