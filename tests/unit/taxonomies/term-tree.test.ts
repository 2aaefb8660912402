import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Term } from '#src/taxonomies/taxonomy-store.ts'
import {
  ancestorsOf,
  buildTermTree,
  descendantsOf,
  isWithin,
  pathOf,
  type TermTree,
} from '#src/taxonomies/term-tree.ts'

const TERMS = [
  aTerm({ id: 1, slug: 'texas' }),
  aTerm({ id: 2, slug: 'dallas', parentId: 1, position: 1 }),
  aTerm({ id: 3, slug: 'austin', parentId: 1, position: 0 }),
  aTerm({ id: 4, slug: 'zilker', parentId: 3 }),
  aTerm({ id: 5, slug: 'oklahoma', position: 1 }),
]

function aTerm(term: Partial<Term>): Term {
  const slug = term.slug ?? 'term'
  return {
    id: 1,
    taxonomyId: 1,
    parentId: null,
    slug,
    name: slug,
    description: null,
    position: 0,
    formerSlugs: [],
    kind: null,
    ...term,
  }
}

function get(tree: TermTree, slug: string) {
  const node = tree.bySlug.get(slug)
  assert.ok(node, `${slug} is in the tree`)
  return node
}

test('§2.7 terms are below their parents in position order', () => {
  const tree = buildTermTree(TERMS)
  assert.deepEqual(
    tree.roots.map((node) => [node.slug, ...node.children.map((child) => child.slug)]),
    [['texas', 'austin', 'dallas'], ['oklahoma']],
  )
})

test('siblings at the same position are ordered by ID', () => {
  const tree = buildTermTree([aTerm({ id: 9, slug: 'later' }), aTerm({ id: 8, slug: 'earlier' })])
  assert.deepEqual(
    tree.roots.map((node) => node.slug),
    ['earlier', 'later'],
  )
})

test('a path lists every term from the root', () => {
  const zilker = get(buildTermTree(TERMS), 'zilker')
  assert.equal(pathOf(zilker), 'texas/austin/zilker')
  assert.deepEqual(
    ancestorsOf(zilker).map((node) => node.slug),
    ['texas', 'austin'],
  )
})

test('a term is within itself and its ancestors, not within descendants or siblings', () => {
  const austin = get(buildTermTree(TERMS), 'austin')
  assert.deepEqual(
    ['austin', 'texas', 'zilker', 'oklahoma'].map((slug) => isWithin(austin, slug)),
    [true, true, false, false],
  )
})

test('descendants come depth first', () => {
  const texas = get(buildTermTree(TERMS), 'texas')
  assert.deepEqual(
    descendantsOf(texas).map((node) => node.slug),
    ['austin', 'zilker', 'dallas'],
  )
})

test('§2.7 cyclic parents still make a tree', () => {
  const tree = buildTermTree([
    aTerm({ id: 1, slug: 'a', parentId: 3 }),
    aTerm({ id: 2, slug: 'b', parentId: 1 }),
    aTerm({ id: 3, slug: 'c', parentId: 2 }),
    aTerm({ id: 4, slug: 'own', parentId: 4, position: 1 }),
  ])
  assert.deepEqual(
    tree.roots.map(({ slug }) => slug),
    ['c', 'own'],
  )
  assert.equal(pathOf(get(tree, 'b')), 'c/a/b')
  assert.deepEqual(
    descendantsOf(get(tree, 'c')).map(({ slug }) => slug),
    ['a', 'b'],
  )
})
