import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Picture } from '#src/pictures/picture.ts'
import {
  entryPicture,
  namedPictures,
  nameOf,
  readVariantName,
  smallPicture,
  variantsOf,
} from '#src/site/pictures/entry-picture.ts'
import { showsName } from '#src/site/pictures/site-logo.ts'
import { aPicture } from '../../support/pictures.ts'

const ROOF = aPicture({ name: 'roof.jpg', width: 1_000, height: 500, alt: 'A roof', sha256: 'ab'.repeat(32) })
const LEFT = { x: 0, y: 0, width: 0.5, height: 1 }
const PICTURES = new Map<string, Picture>([[ROOF.name, ROOF]])

const widthsOf = (picture: Picture) => variantsOf(picture).map(({ width }) => width)

test('a picture has every width up to its own, and none above 1600 pixels', () => {
  assert.deepEqual(widthsOf(ROOF), [480, 800, 1_000])
  assert.deepEqual(widthsOf({ ...ROOF, width: 800 }), [480, 800])
  assert.deepEqual(widthsOf({ ...ROOF, width: 100 }), [100])
  assert.deepEqual(widthsOf({ ...ROOF, width: 1_600 }), [480, 800, 1_200, 1_600])
  assert.deepEqual(widthsOf({ ...ROOF, width: 5_000 }), [480, 800, 1_200, 1_600])
  assert.deepEqual(widthsOf({ ...ROOF, crop: LEFT }), [480, 500])
})

test('a picture’s files are named by its name and a hash of bytes and crop', () => {
  assert.equal(nameOf(ROOF), 'ab'.repeat(8))
  const [left, right] = [nameOf({ ...ROOF, crop: LEFT }), nameOf({ ...ROOF, crop: { ...LEFT, x: 0.5 } })]
  assert.notEqual(left, right)
  for (const name of [left, right]) assert.match(name, /^(ab){8}-[0-9a-f]{8}$/)
  for (const picture of [ROOF, { ...ROOF, crop: LEFT }])
    for (const { path, width } of [...variantsOf(picture), ...variantsOf(picture, 'avif')])
      assert.deepEqual(readVariantName(path.replace('/_astro/', '')), { hash: 'ab'.repeat(8), width })
  for (const name of [
    'picture-ab-480.webp',
    `x${'ab'.repeat(8)}-480.webp`,
    `picture-${'ab'.repeat(8)}-480.png`,
  ])
    assert.equal(readVariantName(name), undefined, name)
})

test('an entry shows its picture in both encodings, with its own alternative text', () => {
  const data = { picture: 'roof.jpg', picture_alt: 'Our roof' }
  const shown = entryPicture(new Map([[ROOF.name, { ...ROOF, focalPoint: [0.5, 0.33] }]]), data)
  const path = (width: number, ending: string) =>
    `/_astro/picture-${'ab'.repeat(8)}-${width}.${ending} ${width}w`
  const all = (ending: string) => [480, 800, 1_000].map((width) => path(width, ending)).join(', ')
  assert.deepEqual(shown, {
    ...{ src: `/_astro/picture-${'ab'.repeat(8)}-1000.webp`, width: 1_000, height: 500 },
    ...{ srcset: all('webp'), avif: all('avif'), alt: 'Our roof', focus: 'sp-fx5 sp-fy3' },
  })
  const inCrop: Picture = { ...ROOF, focalPoint: [0.25, 0.33], crop: LEFT }
  assert.equal(entryPicture(new Map([[ROOF.name, inCrop]]), data)?.focus, 'sp-fx5 sp-fy3')
  const plain = entryPicture(PICTURES, { picture: 'roof.jpg' })
  assert.deepEqual([plain?.alt, plain?.focus], ['A roof', ''])
  for (const picture of [undefined, null, '', 'gone.jpg', 7])
    assert.equal(entryPicture(PICTURES, { picture }), null)
  assert.equal(namedPictures(PICTURES, ['roof.jpg', 'gone.jpg', 'roof.jpg']).length, 2)
  assert.deepEqual(namedPictures(PICTURES, 'roof.jpg'), [])
})

test('the smallest file of a picture has its height in proportion', () => {
  const { path, ...size } = smallPicture(PICTURES, 'roof.jpg') ?? { path: '' }
  assert.deepEqual(size, { width: 480, height: 240 })
  assert.match(path, /-480\.webp$/)
  assert.equal(smallPicture(PICTURES, 'gone.jpg'), null)
  assert.equal(smallPicture(PICTURES, null), null)
})

test('a logo twice as wide as high contains the name, unless the settings say otherwise', () => {
  const shown = (width: number, logo_shows_name?: boolean) =>
    showsName({ logo_shows_name }, { ...ROOF, width, height: 100 })
  assert.deepEqual([shown(199), shown(200), shown(199, true), shown(200, false)], [false, true, true, false])
})
