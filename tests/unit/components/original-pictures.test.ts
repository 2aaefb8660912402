import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AstroConfig, ImageMetadata } from 'astro'
import pictures from '#src/integration/original-pictures.ts'

const CONFIG = {} as AstroConfig['image']
const LOG = undefined as never
const van: ImageMetadata = { src: '/_astro/van.jpg', width: 1600, height: 900, format: 'jpg' }

test('pictures of astro:assets are shown as their files, which every static host has', async () => {
  const urlOf = (src: ImageMetadata | string) => pictures.getURL({ src, width: 300 }, CONFIG, LOG)
  assert.equal(await urlOf(van), '/_astro/van.jpg')
  assert.equal(await urlOf('https://example.com/van.jpg'), 'https://example.com/van.jpg')
  assert.ok(!('transform' in pictures), 'a service that transforms pictures gets addresses below /_image')
})

test('a picture of several widths has its file as the only candidate', async () => {
  const candidates = await pictures.getSrcSet?.({ src: van, widths: [200, 400] }, CONFIG, LOG)
  assert.deepEqual(candidates, [{ transform: { src: van }, descriptor: '1600w' }])
  assert.deepEqual(await pictures.getSrcSet?.({ src: van, densities: [2] }, CONFIG, LOG), [])
  assert.deepEqual(
    await pictures.getSrcSet?.({ src: 'https://example.com/van.jpg', widths: [200] }, CONFIG, LOG),
    [],
  )
})
