import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandOfferedIn } from '../../../src/entries/offered-in.ts'
import { buildTermTree } from '../../../src/taxonomies/term-tree.ts'

const TREE = buildTermTree(
  [
    { id: 1, slug: 'texas', parentId: null },
    { id: 2, slug: 'austin', parentId: 1 },
    { id: 3, slug: 'zilker', parentId: 2 },
    { id: 4, slug: 'dallas', parentId: 1 },
  ].map((term) => ({ ...term, taxonomyId: 1, name: term.slug, description: null, position: term.id })),
)

for (const [pattern, slugs] of [
  ['austin', ['austin']],
  ['texas/*', ['austin', 'dallas']],
  ['texas/**', ['texas', 'austin', 'zilker', 'dallas']],
  ['dallas/**', ['dallas']],
  ['dallas/*', []],
] as const) {
  test(`${pattern} offers a service in ${slugs.join(', ') || 'no place'}`, () => {
    const { terms, unknown } = expandOfferedIn([pattern], TREE)
    assert.deepEqual(
      terms.map((term) => term.slug),
      slugs,
    )
    assert.deepEqual(unknown, [])
  })
}

test('patterns add up and a place named twice counts once', () => {
  const { terms } = expandOfferedIn(['zilker', 'austin/**', 'texas/*'], TREE)
  assert.deepEqual(
    terms.map((term) => term.slug),
    ['zilker', 'austin', 'dallas'],
  )
})

test('patterns that name no term, or have another form, are unknown', () => {
  const patterns = ['ohio', 'ohio/**', 'texas/***', 'texas/austin', '*', '']
  assert.deepEqual(expandOfferedIn(['austin', ...patterns], TREE).unknown, patterns)
})
