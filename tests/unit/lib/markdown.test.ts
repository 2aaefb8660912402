import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '#src/lib/markdown/markdown.ts'

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
