import assert from 'node:assert/strict'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ledgerFile } from '#src/publish/ledger/ledger-store.ts'
import { findBundle, loadAdmin, loadRenderer, loadTemplates } from '#src/publish/render/bundle.ts'
import { BUNDLE_NOTES, readBundleNotes } from '#src/publish/render/bundle-notes.ts'
import { renderChecked } from '#src/publish/render/render-checked.ts'
import { type RenderWatch, watchRendering } from '#src/publish/render/render-watch.ts'
import { openShards, refuseNoShards } from '#src/publish/render/rendered-pages.ts'
import { isWholeFolder, recordFiles } from '#src/publish/render/whole-folder.ts'
import { shortHash } from '#src/site/content/fingerprint.ts'
import type { Page } from '#src/site/pages/page.ts'
import { temporaryFolder } from '../../support/database.ts'
import { goLive } from '../../support/live-release.ts'

const NAME = '0123456789abcdef'
const ENTRY = `
export async function renderPage({ path }, shown) {
  if (path === '/throws') throw new Error('no price')
  shown?.add('Faq')
  return '<p>' + path
}
export const listOwnPages = async () => [{ path: '/own' }]
export const renderOwnPage = async ({ path }, siteUrl) => siteUrl + path
export const answerAdmin = async () => new Response('admin')
`

function addFiles(folder: string, files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}

async function aBundle(t: TestContext, files: Record<string, string> = {}) {
  const projectDir = temporaryFolder(t)
  const folder = join(projectDir, 'dist', NAME)
  addFiles(folder, {
    'server/entry.mjs': ENTRY,
    'client/a.css': 'a{}',
    'template-fingerprint': 'abc',
    ...files,
  })
  await recordFiles(folder)
  return { projectDir, folder }
}

const aPage = (path: string) => ({ path, view: {} }) as Page

test('a bundle is found by its name while its files are complete', async (t) => {
  const { projectDir, folder } = await aBundle(t)
  const bundle = {
    folder,
    clientDir: join(folder, 'client'),
    parts: {},
    hasOwnPages: false,
    fingerprint: 'abc',
  }
  assert.deepEqual(await findBundle(projectDir, NAME), bundle)
  assert.equal(await findBundle(projectDir, 'fedcba9876543210'), undefined)
  writeFileSync(join(folder, 'own-pages'), '')
  assert.deepEqual(await findBundle(projectDir, NAME), { ...bundle, hasOwnPages: true })
  assert.equal(await isWholeFolder(folder), true)
  truncateSync(join(folder, 'client/a.css'), 1)
  assert.equal(await isWholeFolder(folder), false)
  assert.equal(await findBundle(projectDir, NAME), undefined)
  await recordFiles(folder)
  assert.equal(await isWholeFolder(folder), true)
})

test('the templates of a bundle render pages, each of them watched', async (t) => {
  const { folder } = await aBundle(t)
  const watched: string[] = []
  const watch: RenderWatch = {
    during: (name, work) => {
      watched.push(name)
      return work()
    },
  }
  const templates = await loadTemplates({ folder }, watch)
  const shown = new Set<string>()
  assert.equal(await templates.renderPage(aPage('/a'), shown), '<p>/a')
  assert.deepEqual([...shown], ['Faq'])
  assert.deepEqual(await templates.listOwnPages(), [{ path: '/own' }])
  const own = { path: '/own', file: 'own.astro', props: {} }
  assert.equal(await templates.renderOwnPage(own, 'https://example.com'), 'https://example.com/own')
  assert.deepEqual(watched, [folder, folder, folder])
  const render = await loadRenderer({ folder })
  assert.equal(await render(aPage('/b')), '<p>/b')
  await assert.rejects(render(aPage('/throws')), { message: 'no price' })
  const answer = await loadAdmin({ folder } as Parameters<typeof loadAdmin>[0])
  assert.equal(await (await answer(new Request('http://a/admin'), {})).text(), 'admin')
  assert.equal(watched.length, 3)
})

test('a template that can’t be loaded is reported', async (t) => {
  const { folder } = await aBundle(t, { 'server/entry.mjs': "throw new Error('no key')" })
  await assert.rejects(loadRenderer({ folder }), { message: 'no key' })
})

test('work that never ends is ended', async () => {
  const watch = watchRendering({ withinMs: 150 })
  assert.equal(await watch.during('/bundle', async () => 'done'), 'done')
  await assert.rejects(
    watch.during('/bundle', () => new Promise(() => {})),
    { code: 'tooLate', parts: [0.15] },
  )
  await assert.rejects(
    watch.during('/bundle', () => Promise.reject(new Error('no price'))),
    { message: 'no price' },
  )
  assert.equal(await watch.during('/bundle', async () => 'next'), 'next')
})

test('a page must not be empty, and its failure names it', async () => {
  const render = (html: string) => renderChecked(async () => html, aPage('/a'), new Set())
  assert.equal(await render('<p>'), '<p>')
  await assert.rejects(render(' \n'), { code: 'pageEmpty', parts: ['/a'] })
  const cause = new Error('no price')
  const failing = renderChecked(() => Promise.reject(cause), aPage('/a'), new Set())
  await assert.rejects(failing, { message: /\/a.*no price/, cause })
})

test('the notes of a bundle’s build are read', (t) => {
  const folder = temporaryFolder(t)
  assert.deepEqual(readBundleNotes(folder), [])
  writeFileSync(join(folder, BUNDLE_NOTES), '["Old"]')
  assert.deepEqual(readBundleNotes(folder), ['Old'])
})

test('a page rendered elsewhere is taken if its file is complete', async (t) => {
  const shards = [temporaryFolder(t), temporaryFolder(t)]
  const [first = '', second = ''] = shards
  const hash = shortHash(Buffer.from('A'))
  await goLive(first, {
    pages: [
      { path: '/a', fingerprint: 'old', bytesHash: hash, reads: '1' },
      { path: '/cut', bytesHash: hash },
    ],
  })
  await goLive(second, { pages: [{ path: '/a', fingerprint: 'new', bytesHash: hash, reads: '10' }] })
  addFiles(first, { 'site/a.html': 'old', 'site/cut.html': '' })
  addFiles(second, { 'site/a.html': 'A' })
  const { find } = openShards(shards)
  assert.deepEqual(
    find('/a', () => 'new'),
    { html: Buffer.from('A'), reads: '10' },
  )
  assert.deepEqual(find('/a', ({ reads }) => (reads === '10' ? 'new' : 'x'))?.reads, '10')
  for (const [path, fingerprint] of [
    ['/a', 'newer'],
    ['/a', undefined],
    ['/cut', 'f'],
    ['/none', 'f'],
  ] as const)
    assert.equal(
      find(path, () => fingerprint),
      undefined,
      path,
    )
  assert.equal(
    openShards([]).find('/a', () => 'new'),
    undefined,
  )
  refuseNoShards(shards)
  const none = temporaryFolder(t)
  assert.throws(() => refuseNoShards([...shards, none]), { code: 'noShard', parts: [none] })
  assert.ok(ledgerFile(none))
})
