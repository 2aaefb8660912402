import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/database.ts'

const run = promisify(execFile)

// A bundle's entry whose lines are those of a component, or of the program's.
const ENTRY = [
  'export async function renderPage({ path }) {',
  "  if (path === '/text') throw 'no price'",
  "  if (path === '/throws') return missing(path)",
  "  if (path === '/waits') await new Promise(() => {})",
  // A pause takes effect at the end of the wait or in the loop: both are one line.
  "  if (path === '/blocked-loop') process.getBuiltinModule('node:child_process').execSync('sleep 2.2'); while (path.includes('loop')) JSON.stringify({ path })",
  '  return `<p>${path}</p>`',
  '}',
  'function missing(path) {',
  '  return path.price.text',
  '}',
]
const SOURCE = '../../../src/components/Price.astro'
const SCRIPT = join(import.meta.dirname, '../../fixtures/late-pages.ts')

/** Renders the pages with a bundle whose map names this source. */
async function render(t: TestContext, source: string, paths: readonly string[]) {
  const folder = join(temporaryFolder(t), 'dist/0123456789abcdef')
  const file = join(folder, 'server/entry.mjs')
  mkdirSync(join(folder, 'server'), { recursive: true })
  writeFileSync(file, ENTRY.join('\n'))
  const mappings = ENTRY.map((_, line) => (line === 0 ? 'AAAA' : 'AACA')).join(';')
  writeFileSync(`${file}.map`, JSON.stringify({ version: 3, sources: [source], names: [], mappings }))
  const { stdout } = await run(process.execPath, [SCRIPT, folder, ...paths], { timeout: 60_000 })
  return JSON.parse(stdout)
}

test('a page that throws, loops, or waits fails with the place in the site’s source, and the next one is rendered', async (t) => {
  const paths = ['/throws', '/text', '/loop', '/waits', '/fine']
  const answers = await render(t, SOURCE, paths)
  assert.deepEqual(answers['/throws'].slice(0, 2), ['thrownAt', 'src/components/Price.astro:9'])
  assert.equal(answers['/text'], 'no price')
  assert.deepEqual(answers['/loop'], ['tooLateAt', 'src/components/Price.astro:5', 0.9])
  assert.deepEqual(answers['/waits'], ['tooLate', 0.9])
  assert.equal(answers['/fine'], '<p>/fine</p>')
})

test('a page that can’t be paused at first, as on a busy machine, is ended later', async (t) => {
  const answers = await render(t, SOURCE, ['/blocked-loop', '/fine'])
  assert.deepEqual(answers['/blocked-loop'], ['tooLateAt', 'src/components/Price.astro:5', 0.9])
  assert.equal(answers['/fine'], '<p>/fine</p>')
})

test('templates of packages are named if none of the site’s own is in the stack, and compiled code never', async (t) => {
  const [original, compiled] = ['components/Price.astro', 'lib/price.js'].map(
    (file) => `node_modules/signpost/package/src/${file}`,
  )
  const ofOriginal = await render(t, `../../../${original}`, ['/throws'])
  assert.deepEqual(ofOriginal['/throws'].slice(0, 2), ['thrownAt', `${original}:9`])
  const ofCompiled = await render(t, `../../../${compiled}`, ['/throws', '/loop'])
  assert.match(ofCompiled['/throws'], /undefined/)
  assert.deepEqual(ofCompiled['/loop'], ['tooLate', 0.9])
})
