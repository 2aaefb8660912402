import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { placeAfter, planMove, type TermStep } from '#src/taxonomies/move-term.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'

// a (b (d), c), e
function aTree() {
  const term = (id: number, slug: string, parentId: number | null, position: number) => ({
    ...{
      id,
      slug,
      parentId,
      position,
      taxonomyId: 1,
      name: slug,
      description: null,
      formerSlugs: [],
      kind: null,
    },
  })
  const tree = buildTermTree([
    term(1, 'a', null, 0),
    term(2, 'b', 1, 0),
    term(3, 'c', 1, 1),
    term(4, 'd', 2, 0),
    term(5, 'e', null, 1),
  ])
  const node = (slug: string) => {
    const found = tree.bySlug.get(slug)
    assert.ok(found)
    return found
  }
  return { tree, node }
}

function placed(slug: string, step: TermStep) {
  const { tree, node } = aTree()
  return placeAfter(tree, node(slug), step)
}

test('a step moves up, down, below the previous term, or out after the parent', () => {
  assert.deepEqual(placed('c', 'up'), { parentId: 1, index: 0 })
  assert.deepEqual(placed('b', 'down'), { parentId: 1, index: 1 })
  assert.deepEqual(placed('c', 'indent'), { parentId: 2, index: 1 })
  assert.deepEqual(placed('c', 'outdent'), { parentId: null, index: 1 })
})

test('there is no step past the ends', () => {
  for (const [slug, step] of [
    ['b', 'up'],
    ['c', 'down'],
    ['b', 'indent'],
    ['a', 'outdent'],
  ] as const) {
    assert.equal(placed(slug, step), undefined, `${slug} ${step}`)
  }
})

test('a move changes only the term and the siblings that shift', () => {
  const { tree, node } = aTree()
  const move = planMove(tree, node('e'), { parentId: 1, index: 1 }, { isHierarchical: true })
  assert.deepEqual(move, {
    kind: 'moved',
    rows: [
      { id: 5, parentId: 1, position: 1 },
      { id: 3, parentId: 1, position: 2 },
    ],
  })
  assert.equal(planMove(tree, node('b'), { parentId: 1, index: 0 }, { isHierarchical: true }).kind, 'same')
})

test('a term that is moved back has its former position, also between gaps', () => {
  const { tree, node } = aTree()
  node('b').position = 4
  node('c').position = 7
  const to = (index: number) => {
    const move = planMove(tree, node('c'), { parentId: 1, index }, { isHierarchical: true })
    for (const { id, position } of move.kind === 'moved' ? move.rows : []) {
      const moved = tree.byId.get(id)
      if (moved) moved.position = position
    }
    node('a').children.sort((one, other) => one.position - other.position)
    return node('a').children.map(({ slug, position }) => `${slug} ${position}`)
  }
  assert.deepEqual(to(0), ['c 4', 'b 7'])
  assert.deepEqual(to(1), ['b 4', 'c 7'])
})

test('a term can’t move below itself, below a missing term, or in a flat taxonomy', () => {
  const { tree, node } = aTree()
  const refused = (slug: string, parentId: number, isHierarchical = true) => {
    const move = planMove(tree, node(slug), { parentId, index: 0 }, { isHierarchical })
    return move.kind === 'refused' ? describeProblem(move.problem) : move.kind
  }
  assert.match(refused('a', 1), /inside itself/)
  assert.match(refused('a', 4), /inside itself/)
  assert.match(refused('e', 99), /was deleted/)
  assert.match(refused('e', 1, false), /no levels/)
})
