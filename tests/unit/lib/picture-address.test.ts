import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPictureAddresses } from '#src/lib/markdown/markdown.ts'
import { byNearness } from '#src/lib/names/near-names.ts'
import { findPictureProblem, readPictureAddress } from '#src/lib/picture-address.ts'

for (const [address, read] of [
  ['shop.jpg', { kind: 'file', name: 'shop.jpg' }],
  ['./shop.jpg', { kind: 'file', name: 'shop.jpg' }],
  ['/pictures/shop.jpg', { kind: 'file', name: 'shop.jpg' }],
  ['pictures/shop.jpg', { kind: 'file', name: 'shop.jpg' }],
  ['../pictures/shop.jpg', { kind: 'file', name: 'shop.jpg' }],
  ['../../pictures/our%20shop.jpg', { kind: 'file', name: 'our shop.jpg' }],
  ['cafe\u0301.jpg', { kind: 'file', name: 'caf\u00e9.jpg' }],
  ['100%.jpg', { kind: 'file', name: '100%.jpg' }],
  ['shop.jpg?size=2#top', { kind: 'file', name: 'shop.jpg' }],
  ['https://example.com/shop.jpg', { kind: 'foreign' }],
  ['//example.com/shop.jpg', { kind: 'foreign' }],
  ['data:image/png;base64,AAAA', { kind: 'foreign' }],
  ['/_astro/shop.jpg', { kind: 'path' }],
] as const) {
  test(`the picture address ${address} means ${JSON.stringify(read)}`, () => {
    assert.deepEqual(readPictureAddress(address), read)
  })
}

test('a missing picture is reported with similar names, closest first', () => {
  const names = new Set(['boiler.jpg', 'shop.jpg', 'shop-front.jpg', 'Van.JPG', 'van-2.jpg'])
  const near = (address: string) => {
    const problem = findPictureProblem(address, names)
    return problem?.kind === 'missing' ? problem.near : problem
  }
  assert.deepEqual(near('van.jpg'), ['Van.JPG', 'van-2.jpg'])
  assert.deepEqual(near('/pictures/shops.jpg'), ['shop.jpg'])
  assert.deepEqual(near('certificate-of-excellence.png'), [])
  assert.equal(near('shop.jpg'), undefined)
  assert.equal(near('/about/shop.jpg'), undefined)
  assert.deepEqual(near('https://example.com/shop.jpg'), { kind: 'foreign' })
  assert.deepEqual(byNearness('shops.jpg', names).slice(0, 2), ['shop.jpg', 'Van.JPG'])
  const four = new Set(['abcdefghij', 'abcdefgxyz', 'abcdefghxy', 'abcdefghix', 'abcdxxxxxx'])
  const problem = findPictureProblem('abcdefghik', four)
  assert.deepEqual(problem?.kind === 'missing' && problem.near, ['abcdefghij', 'abcdefghix', 'abcdefghxy'])
  const far = findPictureProblem('abcdefghij', new Set(['abcdefwxyz', 'abcdevwxyz']))
  assert.deepEqual(far?.kind === 'missing' && far.near, ['abcdefwxyz'], 'four of ten letters may differ')
})

test('a text’s pictures include references and HTML but not code', () => {
  const text = '`![code](code.jpg)` ![a](a.jpg) [![b](b.jpg)](/x) ![c][c] <img src="d.jpg">\n\n[c]: <c d.jpg>'
  assert.deepEqual(listPictureAddresses(text), ['a.jpg', 'b.jpg', 'c%20d.jpg', 'd.jpg'])
  assert.deepEqual(listPictureAddresses('No picture! [Just](/a-link)'), [])
  assert.deepEqual(listPictureAddresses(`${'> '.repeat(20_000)}![a](a.jpg)`), [])
})
