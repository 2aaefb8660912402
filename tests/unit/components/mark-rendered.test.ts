import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markRendered } from '#src/admin/versions/mark-rendered.ts'

const withoutMarks = (html: string) =>
  html.replaceAll(/<span class="sr-only">[^<]*<\/span>/g, '').replaceAll(/<\/?(?:ins|del)[^>]*>/g, '')
const wordsIn = (tag: string, html: string) =>
  [...html.matchAll(new RegExp(`<${tag} [^>]*><span[^>]*>[^<]*</span>([^<]*)</${tag}>`, 'g'))].map(
    ([, words]) => words?.trim(),
  )

test('the words that differ between two rendered texts are marked on their side', () => {
  const before = '<p>We <strong>nail</strong> slates &amp; tiles.</p>'
  const after = '<p data-heading="2">Roofs</p>\n<ul>\n<li>We glue slates &lt; tiles.</li>\n</ul>'
  const [one, other] = markRendered(before, after)
  assert.deepEqual(wordsIn('del', one), ['nail', '&amp;'])
  assert.deepEqual(wordsIn('ins', other), ['Roofs', 'glue', '&lt;'])
  assert.deepEqual([withoutMarks(one), withoutMarks(other)], [before, after])
})

test('a text that is the same on both sides has no marks', () => {
  const html = '<p>We come <em>today</em>.</p>'
  assert.deepEqual(markRendered(html, html), [html, html])
})

test('an added text is marked as a whole', () => {
  const [before, after] = markRendered('', '<p>Today</p>')
  assert.deepEqual([before, wordsIn('ins', after), withoutMarks(after)], ['', ['Today'], '<p>Today</p>'])
})
