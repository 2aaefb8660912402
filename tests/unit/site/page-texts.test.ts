import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '#src/entries/entry-store.ts'
import {
  findUnshowableText,
  renderNamed,
  withMarkdown,
  withRendered,
} from '#src/site/content/lazy-markdown.ts'
import { formerPlacePaths } from '#src/site/pages/former-addresses.ts'
import { aTree } from '../../support/places.ts'

const owner = { kind: 'page', name: '/about' } as const
const pictures = { find: () => undefined, stateOf: () => undefined }
const TOO_DEEP = '> '.repeat(20_000)

test('a text becomes HTML when it is first read, and comparisons see its source', async () => {
  const text = { markdown: 'Of **metal**', owner, pictures }
  const page = withMarkdown({ title: 'Roof' }, 'html', text)
  assert.equal(JSON.stringify(page), '{"title":"Roof","htmlSource":"Of **metal**"}')
  assert.match(page.html, /<p>Of <strong>metal<\/strong><\/p>/)
  const withState = withMarkdown({}, 'html', { ...text, pictures: { ...pictures, stateOf: () => 'roof' } })
  assert.equal(JSON.stringify(withState), '{"htmlSource":"Of **metal**","htmlPictures":"roof"}')
  const known = new Map([['Of **metal**', '<p>Known</p>']])
  assert.equal(await withRendered(known, async () => renderNamed(text)), '<p>Known</p>')
})

test('the first text that can’t be shown is found at any depth', () => {
  const fails = (message: unknown) => ({
    get html(): string {
      throw message
    },
  })
  const shown = withMarkdown({}, 'html', { markdown: 'A', owner, pictures })
  for (const value of [undefined, null, 'text', 7, {}, [], shown, { a: [shown, { b: null }] }])
    assert.equal(findUnshowableText(value), undefined)
  for (const value of [fails(new Error('Too deep')), { a: [shown, fails(new Error('Too deep'))] }])
    assert.equal(findUnshowableText(value), 'Too deep')
  assert.equal(findUnshowableText([fails('first'), fails('second')]), 'first')
  const deep = withMarkdown({}, 'html', { markdown: TOO_DEEP, owner, pictures })
  assert.match(findUnshowableText(deep) ?? '', /\/about/)
})

test('contract §4 a location service had the addresses of all former slugs of its service and place', () => {
  const service = (...redirectFrom: string[]) => ({ slug: 'repair', redirectFrom }) as unknown as Entry
  const { roots } = aTree('austin')
  const [austin] = roots
  assert.ok(austin)
  const patterns = { service: '/services/{slug}', place: '/services/{service}/{place}' }
  const paths = (
    of: Entry,
    formerSlugs: string[] = [],
    some: Partial<Record<'service' | 'place', null>> = {},
  ) => formerPlacePaths({ service: of, place: { ...austin, formerSlugs } }, { ...patterns, ...some })
  assert.deepEqual(paths(service()), [])
  assert.deepEqual(paths(service(), ['atx']), ['/services/repair/atx'])
  assert.deepEqual(paths(service('/services/fix', '/elsewhere', '/services/a/b')), ['/services/fix/austin'])
  assert.deepEqual(paths(service('/services/fix'), ['atx', 'waterloo']), [
    ...['/services/repair/atx', '/services/repair/waterloo'],
    ...['/services/fix/austin', '/services/fix/atx', '/services/fix/waterloo'],
  ])
  assert.deepEqual(paths(service('/services/fix'), [], { service: null }), [])
  assert.deepEqual(paths(service('/services/fix'), ['atx'], { place: null }), [])
})
