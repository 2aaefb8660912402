import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { refuseMissingFonts } from '#src/integration/looks/own-font-files.ts'
import { temporaryFolder } from '../../support/database.ts'

test('a missing font file is refused with its path and the line of the configuration', (t) => {
  const site = temporaryFolder(t)
  const root = pathToFileURL(`${site}/`)
  const fontWith = (...src: unknown[]) => [{ name: 'Newsreader', options: { variants: [{ src }] } }]
  const missing = fontWith('./src/assets/text.woff2')
  const file = join(site, 'src/assets/text.woff2')
  assert.throws(() => refuseMissingFonts(root, missing), {
    code: 'fontMissing',
    parts: ['astro.config.mjs', 'Newsreader', file],
  })
  writeFileSync(
    join(site, 'astro.config.mjs'),
    "const fonts = [\n  { src: ['./src/assets/text.woff2'] },\n]\n",
  )
  assert.throws(() => refuseMissingFonts(root, missing), {
    parts: ['astro.config.mjs:2', 'Newsreader', file],
  })
  assert.throws(() => refuseMissingFonts(root, fontWith({ url: pathToFileURL(file) })), {
    code: 'fontMissing',
  })

  mkdirSync(join(site, 'src/assets'), { recursive: true })
  mkdirSync(join(site, 'node_modules/a-font'), { recursive: true })
  writeFileSync(file, '')
  writeFileSync(join(site, 'node_modules/a-font/a.woff2'), '')
  refuseMissingFonts(root, missing)
  refuseMissingFonts(
    root,
    fontWith('a-font/a.woff2', 'https://fonts.example/a.woff2', { url: new URL(file, root) }),
  )
  refuseMissingFonts(root, [{ name: 'Roboto' }])
  refuseMissingFonts(root)
})
