import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { COMPONENTS } from '#src/integration/components.ts'
import { refuseSettings } from '#src/integration/refuse-settings.ts'
import { type ComponentOverrides, replaceComponents } from '#src/integration/replace-components.ts'
import { refuseUnknown } from '#src/integration/signpost-options.ts'
import { PROGRAM_DIR } from '#src/lib/program/folders.ts'
import { temporaryFolder } from '../../support/database.ts'

test('an unknown option of signpost() is refused with the nearest one', () => {
  assert.throws(() => refuseUnknown({ component: {} } as never), {
    code: 'optionUnknown',
    parts: ['component', 'components', 'components'],
  })
  assert.throws(() => refuseUnknown({ other: 1 } as never), {
    code: 'optionUnknown',
    parts: ['other', undefined, 'components'],
  })
  refuseUnknown({ components: {} })
})

function setUpIn(site: string, overrides: object) {
  const { hooks } = replaceComponents(overrides as ComponentOverrides)
  const config = { root: pathToFileURL(`${site}/`) }
  return () => hooks['astro:config:setup']?.({ config } as never)
}

test('an unknown component is refused with the nearest one, and a value that is not a path', (t) => {
  const setUp = (overrides: object) => setUpIn(temporaryFolder(t), overrides)
  const isNear = (name: string, near: string | undefined) => (error: { code: string; parts: string[] }) => {
    assert.deepEqual([error.code, ...error.parts.slice(0, 2)], ['nameUnknown', name, near])
    return true
  }
  assert.throws(setUp({ header: './Header.astro' }), isNear('header', 'Header'))
  assert.throws(setUp({ Hedaer: './Header.astro' }), isNear('Hedaer', 'Header'))
  assert.throws(setUp({ Newsletter: './Newsletter.astro' }), isNear('Newsletter', undefined))
  assert.throws(setUp({ Header: {} }), { code: 'notAPath', parts: ['Header'] })
})

test('a replacement is refused that is missing, a folder, or not an .astro file', (t) => {
  const site = temporaryFolder(t)
  mkdirSync(join(site, 'Folder.astro'))
  writeFileSync(join(site, 'Header.jsx'), '')
  for (const [path, code] of [
    ['Header.astro', 'fileMissing'],
    ['Header.jsx', 'notAComponent'],
    ['Header', 'notAComponent'],
    ['.', 'notAComponent'],
    ['Folder.astro', 'notAComponent'],
  ] as const)
    assert.throws(setUpIn(site, { Header: `./${path}` }), { code, parts: ['Header', join(site, path)] })
})

test('a site’s component gets the look’s as its original, and the look’s gets the program’s', async (t) => {
  const site = temporaryFolder(t)
  writeFileSync(join(site, 'Hero.astro'), '')
  const plugins: { name: string; resolveId: (...args: unknown[]) => Promise<unknown> }[] = []
  const { hooks } = replaceComponents({ Hero: './Hero.astro' })
  hooks['astro:config:setup']?.({
    ...{ config: { root: pathToFileURL(`${site}/`), srcDir: pathToFileURL(`${site}/src/`) } },
    ...{ addWatchFile() {}, logger: { warn() {} } },
    updateConfig: ({ vite }: { vite: { plugins: typeof plugins } }) => plugins.push(...vite.plugins),
  } as never)
  const plugin = plugins.find(({ name }) => name === 'signpost:components')
  const importedBy = async (importer: string) => {
    const resolve = async (id: string) => ({ id })
    const found = await plugin?.resolveId.call({ resolve }, 'signpost/components/Hero.astro', importer, {})
    return typeof found === 'object' ? (found as { id: string }).id : found
  }
  const original = join(PROGRAM_DIR, 'src', COMPONENTS.Hero)
  assert.equal(await importedBy(join(site, 'page.astro')), join(site, 'Hero.astro'))
  assert.match(String(await importedBy(join(site, 'Hero.astro'))), /signpost:choice/)
  assert.equal(await importedBy(join(PROGRAM_DIR, 'looks/photographic/Hero.astro')), original)
})

test('settings of Astro that would break pages are refused', () => {
  const outDir = new URL('file:///site/dist/')
  const folder = (name: string) => new URL(name, outDir)
  const build = { client: folder('client/'), server: folder('server/'), serverEntry: 'entry.mjs' }
  const root = new URL('file:///site/')
  const folders = { root, outDir, srcDir: new URL('src/', root), publicDir: new URL('public/', root) }
  const settings = { base: '/', redirects: {}, ...folders, build, integrations: [{ name: 'signpost' }] }
  refuseSettings(settings)
  for (const [code, values] of [
    ['baseUnsupported', { base: '/x' }],
    ['prefixUnsupported', { build: { ...build, assetsPrefix: 'https://cdn.example.com' } }],
    ['redirectsUnsupported', { redirects: { '/old': '/new' } }],
    ['foldersUnsupported', { srcDir: new URL('source/', root) }],
    ['foldersUnsupported', { publicDir: new URL('static/', root) }],
    ['foldersUnsupported', { build: { ...build, client: folder('c/') } }],
    ['foldersUnsupported', { build: { ...build, server: folder('s/') } }],
    ['foldersUnsupported', { build: { ...build, serverEntry: 'index.mjs' } }],
    ['sitemapUnsupported', { integrations: [{ name: '@astrojs/sitemap' }] }],
  ] as const)
    assert.throws(() => refuseSettings({ ...settings, ...values }), { code })
})
