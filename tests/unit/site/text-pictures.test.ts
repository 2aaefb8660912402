import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '#src/lib/markdown/markdown.ts'
import { textPictures } from '#src/site/pictures/text-pictures.ts'
import { aPicture } from '../../support/pictures.ts'

const SHOP = aPicture({ sha256: 'a1'.repeat(32), width: 1000, height: 500 })
const OUR_VAN = aPicture({ name: 'our van.jpg', sha256: 'b2'.repeat(32), width: 300, height: 200 })
const pictures = new Map([SHOP, OUR_VAN].map((picture) => [picture.name, picture]))

const shown = (markdown: string) => renderMarkdown(markdown, textPictures(pictures).find)

for (const address of ['shop.jpg', '/pictures/shop.jpg', '../pictures/shop.jpg']) {
  test(`contract §8 ![alt](${address}) is a lazy-loaded picture with its widths and size`, () => {
    const html = shown(`![The shop](${address})`)
    const file = (width: number) => `/_astro/picture-a1a1a1a1a1a1a1a1-${width}.webp`
    assert.ok(html.includes(` src="${file(1000)}"`), html)
    assert.ok(html.includes(` srcset="${file(480)} 480w, ${file(800)} 800w, ${file(1000)} 1000w"`), html)
    assert.match(html, / width="1000" height="500" sizes="[^"]+" alt="The shop" loading="lazy"/)
  })
}

test('a picture with a space in its name is found, in Markdown and in HTML', () => {
  assert.match(shown('![Van](<our van.jpg>)'), /b2b2-300\.webp/)
  assert.match(shown('<img src="our van.jpg" alt="Van">'), /b2b2-300\.webp.* alt="Van"/)
})

test('a missing or external picture is left out with its empty wrapper', () => {
  assert.equal(shown('Before\n\n![x](none.jpg)\n\nAfter'), '<p>Before</p>\n<p>After</p>')
  assert.equal(shown('[![x](https://example.com/x.jpg)](/about)'), '')
  assert.equal(shown('Text ![x](none.jpg) goes on'), '<p>Text  goes on</p>')
  assert.match(shown('[![x](shop.jpg)](/about)'), /<a href="\/about"><img /)
})

test('a picture without a description in the text has its own', () => {
  const described = new Map([['shop.jpg', { ...SHOP, alt: 'Our "shop"' }]])
  const altOf = (markdown: string) =>
    / alt="([^"]*)"/.exec(renderMarkdown(markdown, textPictures(described).find))?.[1]
  assert.equal(altOf('![](shop.jpg)'), 'Our &quot;shop&quot;')
  assert.equal(altOf('![ ](shop.jpg)'), 'Our &quot;shop&quot;')
  assert.equal(altOf('<img src="shop.jpg">'), 'Our &quot;shop&quot;')
  assert.equal(altOf('![The door](shop.jpg)'), 'The door')
  for (const [markdown, differs] of [
    ['![](shop.jpg)', true],
    ['<img src="shop.jpg">', true],
    ['![The door](shop.jpg)', false],
  ] as const)
    assert.equal(
      textPictures(described).stateOf(markdown) !== textPictures(pictures).stateOf(markdown),
      differs,
      markdown,
    )
})

test('a text depends only on its own pictures', () => {
  const { stateOf } = textPictures(pictures)
  assert.equal(stateOf('No picture'), undefined)
  const before = stateOf('![x](shop.jpg)')
  const changed = new Map([...pictures, ['shop.jpg', { ...SHOP, sha256: 'c3'.repeat(32) }]] as const)
  assert.notEqual(textPictures(changed).stateOf('![x](shop.jpg)'), before)
  assert.equal(textPictures(changed).stateOf('![x](our%20van.jpg)'), stateOf('![x](our%20van.jpg)'))
})
