import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderApart } from '#src/lib/markdown/render-apart.ts'

test('a text is rendered in its own thread, with the pictures that are found', async () => {
  const asked: string[] = []
  const markdown = '![A van](van.jpg)\n\n![](gone.jpg)\n\n*Hello*'
  const shown = await renderApart(markdown, (address) => {
    asked.push(address)
    return address === 'van.jpg' ? 'as_written' : undefined
  })
  assert.deepEqual(shown, {
    kind: 'rendered',
    html: '<p><img src="van.jpg" alt="A van" loading="lazy" decoding="async" /></p>\n<p><em>Hello</em></p>',
    addresses: ['van.jpg', 'gone.jpg'],
  })
  assert.deepEqual(asked, ['van.jpg', 'gone.jpg'])
  const without = { kind: 'rendered', html: '<p><em>Hello</em></p>', addresses: ['van.jpg', 'gone.jpg'] }
  assert.deepEqual(await renderApart(markdown), without)
  assert.deepEqual(await renderApart(' \n'), { kind: 'rendered', html: '', addresses: [] })
})

test('texts at once get their own results, and one that is too deep or too slow spoils no other', async () => {
  const texts = ['one', '>'.repeat(20_000), 'two']
  const [one, deep, two] = await Promise.all(texts.map((text) => renderApart(text)))
  assert.deepEqual(deep, { kind: 'too_deep' })
  const html = [one, two].map((text) => text?.kind === 'rendered' && text.html)
  assert.deepEqual(html, ['<p>one</p>', '<p>two</p>'])
  const slow = renderApart('*a '.repeat(60_000), undefined, { deadlineMs: 20 })
  const next = renderApart('three')
  assert.deepEqual(await slow, { kind: 'too_slow' })
  assert.deepEqual(await next, { kind: 'rendered', html: '<p>three</p>', addresses: [] })
})
