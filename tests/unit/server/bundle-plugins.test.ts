import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { featuresFromSource, nameAsset, serverEntry } from '#src/server/bundle-plugins.ts'
import { staticBuild } from '#src/server/prerender/static-build.ts'

const MODULES = '/srv/site/node_modules'

type Environment = {
  build: {
    rolldownOptions: {
      input: { index: string }
      output: {
        entryFileNames(chunk: { facadeModuleId: string | null }): string
        chunkFileNames(chunk: { moduleIds: string[] }): string
      }
    }
    sourcemap: unknown
  }
}

/** The parts of a plugin that Vite asks for. */
interface Hooks {
  apply: string
  enforce: string
  configEnvironment(name: string): Environment | undefined
  resolveId(this: object, source: string, importer: string, options: object): Promise<unknown>
}

function environmentOf(name: string, isBundle = true): Environment | undefined {
  const { configEnvironment } = serverEntry({ isBundle }) as unknown as Hooks
  return configEnvironment(name)
}

test('the server of a bundle renders pages, and that of `astro build` starts', () => {
  for (const [isBundle, file, sourcemap] of [
    [true, /src\/server\/bundle-entry\.ts$/, 'hidden'],
    [false, /src\/server\/prerender\/static-entry\.ts$/, false],
  ] as const) {
    const build = environmentOf('ssr', isBundle)?.build
    assert.match(build?.rolldownOptions.input.index ?? '', file)
    assert.equal(build?.sourcemap, sourcemap)
  }
  assert.equal(environmentOf('prerender'), undefined)
})

test('files of the admin are apart from those of public pages', () => {
  const output = environmentOf('client')?.build.rolldownOptions.output
  for (const [names, name] of [
    [['src/styles/admin.css'], '_admin/[hash][extname]'],
    [['src/layouts/Entrance.astro', 'src/pages/admin/login.astro'], '_admin/[hash][extname]'],
    [['src/admin/a.css', 'src/styles/site.css'], '_astro/[hash][extname]'],
    [[], '_astro/[hash][extname]'],
  ] as const)
    assert.equal(nameAsset({ originalFileNames: [...names] }), name, String(names))
  for (const [facadeModuleId, name] of [
    ['/srv/src/admin/chart.ts', '_admin/[hash].js'],
    ['/srv/src/components/form.ts', '_astro/[hash].js'],
    [null, '_astro/[hash].js'],
  ] as const)
    assert.equal(output?.entryFileNames({ facadeModuleId }), name)
  for (const [moduleIds, name] of [
    [['/srv/src/admin/chart.ts'], '_admin/shared.[hash].js'],
    [[`${MODULES}/chart.js/dist/chart.js`], '_admin/shared.[hash].js'],
    [[`${MODULES}/a/node_modules/chart.js/dist/chart.js`], '_admin/shared.[hash].js'],
    [[`${MODULES}/@github/markdown-toolbar-element/dist/index.js`], '_admin/shared.[hash].js'],
    [
      ['C:\\site\\node_modules\\@github\\markdown-toolbar-element\\dist\\index.js'],
      '_admin/shared.[hash].js',
    ],
    [[`${MODULES}/@github/other/index.js`, '/srv/own.ts'], '_astro/shared.[hash].js'],
    [['/srv/own.ts', '/srv/src/admin/chart.ts'], '_admin/shared.[hash].js'],
    [[], '_astro/shared.[hash].js'],
  ] as const)
    assert.equal(output?.chunkFileNames({ moduleIds: [...moduleIds] }), name, String(moduleIds))
})

test('templates are bundled, and the features that they call are not', async () => {
  const src = fileURLToPath(new URL('../../../src/', import.meta.url))
  const asked: unknown[] = []
  const plugin = featuresFromSource() as unknown as Hooks
  assert.deepEqual([plugin.apply, plugin.enforce], ['build', 'pre'])
  const resolve = (source: string, { importer = `${src}pages/a.astro`, environment = 'ssr', id = '' } = {}) =>
    plugin.resolveId.call(
      {
        environment: { name: environment },
        async resolve(...args: unknown[]) {
          asked.push(args)
          return id === '' ? null : { id }
        },
      },
      source,
      importer,
      { isEntry: false },
    )
  const feature = { id: '#src/forms/form.ts', external: true }
  const id = `${src}forms/form.ts`
  for (const environment of ['ssr', 'prerender'])
    assert.deepEqual(await resolve('../forms/form.ts', { environment, id }), feature)
  assert.deepEqual(await resolve('#src/forms/form.ts', { id }), feature)
  assert.deepEqual(asked[0], ['../forms/form.ts', `${src}pages/a.astro`, { isEntry: false, skipSelf: true }])
  asked.splice(0)
  for (const options of [{ environment: 'client' }, { importer: '' }])
    assert.equal(await resolve('./a.ts', options), undefined)
  assert.equal(await resolve('astro', { id }), undefined)
  assert.deepEqual(asked, [])
  for (const path of [
    'components/A.astro',
    'pages/a.astro',
    'middleware.ts',
    'server/bundle-entry.ts',
    'admin/a.ts',
  ])
    assert.equal(await resolve('./a', { id: src + path }), undefined, path)
  for (const path of ['server/middleware.ts', 'server/bundle-entry.tsx', 'site/pages/a.ts'])
    assert.deepEqual(await resolve('./a', { id: src + path }), { id: `#src/${path}`, external: true }, path)
  assert.equal(await resolve('./a', { id: '/srv/site/src/a.ts' }), undefined)
  assert.equal(await resolve('./a'), undefined)
})

test('only a plain `astro build` prerenders pages', async () => {
  for (const [command, isBundle, prerender] of [
    ['build', false, true],
    ['build', true, false],
    ['dev', false, false],
  ] as const) {
    const { hooks } = staticBuild({ isBundle })
    hooks['astro:config:setup']?.({ command } as never)
    const route = { prerender: true, component: 'src/pages/a.astro' }
    hooks['astro:route:setup']?.({ route } as never)
    assert.equal(route.prerender, prerender, command)
    if (prerender) continue
    await hooks['astro:build:start']?.({} as never)
    await hooks['astro:build:done']?.({ pages: [] } as never)
  }
})
