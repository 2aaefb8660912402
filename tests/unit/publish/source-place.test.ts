import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Failure } from '#src/lib/messages.ts'
import { publishFailures } from '#src/messages/server/publishing.ts'
import { findSourcePlace, namingPlaces } from '#src/publish/render/source-place.ts'
import { temporaryFolder } from '../../support/database.ts'

const OWN = '../../../src/components/Price.astro'
const PACKAGE = '../../../node_modules/@agency/parts'

/** A bundle with a file for each of these sources, line by line. */
function aBundle(t: TestContext) {
  const folder = join(temporaryFolder(t), 'site/dist/0123456789abcdef')
  const sources = {
    own: OWN,
    outer: '../../../src/pages/a.ts',
    part: `${PACKAGE}/Faq.astro`,
    code: `${PACKAGE}/a.js`,
  }
  mkdirSync(join(folder, 'server/chunks'), { recursive: true })
  const files = Object.entries({ ...sources, bare: undefined, empty: OWN }).map(([name, source]) => {
    const file = join(folder, 'server', `${name}.mjs`)
    writeFileSync(file, '')
    const mappings = name === 'empty' ? '' : 'AAAA;AACA;AACA;AACA'
    const map = { version: 3, sources: [source], names: [], mappings }
    if (source) writeFileSync(`${file}.map`, JSON.stringify(map))
    return [name, pathToFileURL(file).href] as const
  })
  const urls = Object.fromEntries(files)
  const frame = (name: string, line: number) => `    at render (${urls[name] ?? name}:${line}:1)`
  const find = (...frames: string[]) => findSourcePlace(folder, ['Error: no price', ...frames].join('\n'))
  return { folder, frame, find }
}

test('the innermost line of the site’s own source is named, or else a template of a package', (t) => {
  const { folder, frame, find } = aBundle(t)
  const other = pathToFileURL(join(folder, '..', 'server/own.mjs')).href
  const beside = `${pathToFileURL(join(folder, 'server')).href}2/own.mjs`
  const places: [frames: string[], place: string | undefined][] = [
    [[frame('own', 3)], 'src/components/Price.astro:3'],
    [[frame('own', 2), frame('outer', 4)], 'src/components/Price.astro:2'],
    [[frame('outer', 4), frame('own', 2)], 'src/pages/a.ts:4'],
    [[frame('part', 1), frame('own', 2)], 'src/components/Price.astro:2'],
    [[frame('code', 1), frame('part', 2)], 'node_modules/@agency/parts/Faq.astro:2'],
    [[frame('code', 1)], undefined],
    [[frame('bare', 1), frame('empty', 1)], undefined],
    [[frame(other, 1), frame(beside, 1), frame('file:///elsewhere.mjs', 1)], undefined],
    [['    at node:internal/process:1:1'], undefined],
    [[], undefined],
  ]
  for (const [frames, place] of places) assert.equal(find(...frames), place, frames.join('\n'))
})

test('a failure of a template is reported with its place', async (t) => {
  const { folder, frame } = aBundle(t)
  const failing = async (thrown: unknown) =>
    namingPlaces(folder, () => Promise.reject(thrown)).catch((error: unknown) => error)
  const errorAt = (stack: string | undefined) => Object.assign(new Error('no price'), { stack })
  assert.equal(await namingPlaces(folder, async () => 'done'), 'done')
  const named = await failing(errorAt(frame('own', 3)))
  assert.ok(named instanceof Failure)
  assert.deepEqual([named.code, named.parts], ['thrownAt', ['src/components/Price.astro:3', 'no price']])
  const own = new Failure(publishFailures, 'notALink', 'x')
  own.stack = frame('own', 3)
  const plain = [own, errorAt('Error'), errorAt(undefined)]
  for (const error of plain) assert.equal(await failing(error), error)
  const text = await failing('no price')
  assert.ok(text instanceof Error)
  assert.equal(text.message, 'no price')
})
