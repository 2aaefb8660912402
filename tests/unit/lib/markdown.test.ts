import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText, renderMarkdown } from '#src/lib/markdown/markdown.ts'

const RENDERED: [string, string, string][] = [
  ['paragraphs and emphasis', 'Some *fine* **work**', '<p>Some <em>fine</em> <strong>work</strong></p>'],
  ['a first heading becomes a second-level one', '# Repairs', '<h2>Repairs</h2>'],
  ['links', '[call](tel:+15125550100)', '<p><a href="tel:+15125550100">call</a></p>'],
  ['relative links', '[us](/about)', '<p><a href="/about">us</a></p>'],
  [
    'tables',
    '| a |\n|---|\n| b |',
    '<table> <thead> <tr> <th>a</th> </tr> </thead> <tbody><tr> <td>b</td> </tr> </tbody></table>',
  ],
]

for (const [what, markdown, html] of RENDERED) {
  test(`Markdown shows ${what}`, () => {
    assert.equal(renderMarkdown(markdown).replace(/\s+/g, ' '), html)
  })
}

const REMOVED: [string, string, RegExp][] = [
  ['a script with its text', 'a <script>alert(1)</script> b', /script|alert/],
  ['an event handler', '<img src="/a.png" onerror="alert(1)">', /onerror|alert/],
  ['a javascript: link', '[a](javascript:alert(1))', /javascript/],
  ['a javascript: link in another spelling', '<a href="java&#10;script:alert(1)">a</a>', /script/],
  ['a data: picture', '<img src="data:image/svg+xml;base64,AAAA">', /data:/],
  ['a style', '<p style="position:fixed">a</p>', /style/],
  ['a frame', '<iframe src="https://example.com"></iframe>', /iframe/],
  ['a form', '<form action="https://example.com"><input name="a"></form>', /form|input/],
]

for (const [what, markdown, trace] of REMOVED) {
  test(`Markdown leaves out ${what}`, () => {
    assert.doesNotMatch(renderMarkdown(markdown), trace)
  })
}

const FOUND = {
  alt: 'A van',
  src: '/p/van.webp',
  srcset: '/p/van-2.webp 2x',
  sizes: '100vw',
  width: 30,
  height: 20,
}
const LAZY = 'loading="lazy" decoding="async"'
const VAN = `<img src="/p/van.webp" srcset="/p/van-2.webp 2x" sizes="100vw" width="30" height="20" alt="Our van" ${LAZY} />`

for (const [what, markdown, html] of [
  ['a picture that is found', 'See ![Our van](van.jpg) here', `<p>See ${VAN} here</p>`],
  ['a linked picture', '[![Our van](van.jpg)](/vans)', `<p><a href="/vans">${VAN}</a></p>`],
  [
    'a picture of another site as it is written',
    '<img src="https://a.example/b.png" alt="B" width="3" height="4" class="c">',
    `<img src="https://a.example/b.png" width="3" height="4" alt="B" ${LAZY} />`,
  ],
  ['no size where none is written', '![](/b.png)', `<p><img src="/b.png" alt="" ${LAZY} /></p>`],
  ['nothing of a picture that is gone', 'Before ![a](gone.jpg) after', '<p>Before  after</p>'],
  [
    'no empty link or paragraph in its place',
    'One\n\n[![a](gone.jpg)](/a)\n\n![a](gone.jpg)\n\nTwo',
    '<p>One</p>\n<p>Two</p>',
  ],
  [
    'an empty link where no picture was',
    '<a href="/a"></a> ![Our van](van.jpg)',
    `<p><a href="/a"></a> ${VAN}</p>`,
  ],
] as const) {
  test(`Markdown shows ${what}`, () => {
    const find = (address: string) => {
      if (address === 'van.jpg') return FOUND
      return address === 'gone.jpg' ? undefined : 'as_written'
    }
    assert.equal(renderMarkdown(markdown, find), html)
  })
}

test('stripping marks keeps a text’s characters', () => {
  assert.equal(plainText('\n**Heating** & <b>"AC"</b> [now](/a) ![x](y.png)'), 'Heating & "AC" now')
})

test('a picture keeps its address unless others are given, and has a description from its text or its own', () => {
  assert.equal(
    renderMarkdown('![](van.jpg)'),
    '<p><img src="van.jpg" alt="" loading="lazy" decoding="async" /></p>',
  )
  const van = { src: '/pictures/van.webp', width: 4, height: 3, alt: 'Own' }
  const altOf = (markdown: string) => / alt="([^"]*)"/.exec(renderMarkdown(markdown, () => van as never))?.[1]
  assert.deepEqual(['![](a)', '![ ](a)', '![Text](a)'].map(altOf), ['Own', 'Own', 'Text'])
})

test('a link keeps its text when its picture is left out', () => {
  const without = (markdown: string) => renderMarkdown(markdown, () => undefined)
  assert.equal(without('[![](a) Text](/b)'), '<p><a href="/b"> Text</a></p>')
  assert.equal(without('[![](a)](/b)'), '')
  assert.equal(without('![](a)\n\nText'), '<p>Text</p>')
})
