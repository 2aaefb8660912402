import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SLUG_LENGTH } from '#src/lib/slug.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { outlineTerms } from '#src/taxonomies/term-outline.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'

const term = (id: number, slug: string, parentId: number | null) => ({
  ...{
    id,
    slug,
    parentId,
    taxonomyId: 1,
    name: slug,
    description: null,
    position: id,
    formerSlugs: [],
    kind: null,
  },
})

// texas > austin, illinois
const tree = buildTermTree([term(1, 'texas', null), term(2, 'austin', 1), term(3, 'illinois', null)])

function outline(text: string, { parentId = null as number | null, isHierarchical = true } = {}) {
  return outlineTerms(text, { tree, parentId, isHierarchical })
}

const shown = (text: string, options = {}) =>
  outline(text, options).terms.map(({ name, slug, depth, state }) => [name, slug, depth, state])

test('an indented list becomes a tree with any bullets and spaces', () => {
  assert.deepEqual(shown('Oklahoma\n\tTulsa\n\t\tMaple Ridge\n\tNorman\n\n- Kansas\n  - Wichita'), [
    ['Oklahoma', 'oklahoma', 0, 'new'],
    ['Tulsa', 'tulsa', 1, 'new'],
    ['Maple Ridge', 'maple-ridge', 2, 'new'],
    ['Norman', 'norman', 1, 'new'],
    ['Kansas', 'kansas', 0, 'new'],
    ['Wichita', 'wichita', 1, 'new'],
  ])
})

test('an existing term becomes the parent of those below it', () => {
  assert.deepEqual(shown('Texas\n  Austin\n  Waco\nLone Star State | texas\n  ATX | austin'), [
    ['Texas', 'texas', 0, 'known'],
    ['Austin', 'austin', 1, 'known'],
    ['Waco', 'waco', 1, 'new'],
    ['Lone Star State', 'texas', 0, 'known'],
    ['ATX', 'austin', 1, 'known'],
  ])
})

test('a taken slug gets its parent’s slug appended, then a number', () => {
  assert.deepEqual(shown('Austin\nAustin\nAustin', { parentId: 3 }), [
    ['Austin', 'austin-illinois', 0, 'renamed'],
    ['Austin', 'austin-2', 0, 'renamed'],
    ['Austin', 'austin-3', 0, 'renamed'],
  ])
  assert.deepEqual(shown('Kansas\n  Mound - East\nOhio\n  Mound - East'), [
    ['Kansas', 'kansas', 0, 'new'],
    ['Mound - East', 'mound-east', 1, 'new'],
    ['Ohio', 'ohio', 0, 'new'],
    ['Mound - East', 'mound-east-ohio', 1, 'renamed'],
  ])
})

test('an extended slug stays within its limit', () => {
  for (const [name, behind] of [
    ['a'.repeat(MAX_SLUG_LENGTH - '-ohio'.length), '-ohio'],
    ['a'.repeat(MAX_SLUG_LENGTH - '-ohio'.length + 1), '-2'],
    ['a'.repeat(MAX_SLUG_LENGTH), '-2'],
  ] as const) {
    const [, , , last] = shown(`Kansas\n  ${name}\nOhio\n  ${name}`)
    assert.equal(last?.[1], name.slice(0, MAX_SLUG_LENGTH - behind.length) + behind)
  }
})

test('a list pasted again finds terms whose slug was changed the first time', () => {
  const rows = [...tree.byId.values(), term(4, 'austin-illinois', 3), term(5, 'atx', null)]
  const named = rows.map((row) => ({ ...row, name: row.id === 2 || row.id === 4 ? 'Austin' : row.name }))
  const again = outlineTerms('Texas\n  Austin\nIllinois\n  AUSTIN\n    Downtown\n  Austin | new', {
    ...{ tree: buildTermTree(named), parentId: null, isHierarchical: true },
  })
  assert.deepEqual(
    again.terms.map(({ slug, state, id }) => [slug, state, id]),
    [
      ['texas', 'known', 1],
      ['austin', 'known', 2],
      ['illinois', 'known', 3],
      ['austin-illinois', 'known', 4],
      ['downtown', 'new', undefined],
      ['new', 'new', undefined],
    ],
  )
})

test('§2.6 nothing is added below a term in a flat taxonomy', () => {
  const { terms, problems } = outline('Waco', { parentId: 1, isHierarchical: false })
  assert.deepEqual([terms, problems.map(({ code }) => code)], [[], ['list_without_levels']])
})

test('a slug may follow a name; a taken one is then an error', () => {
  assert.deepEqual(shown('Springfield | spring'), [['Springfield', 'spring', 0, 'new']])
  assert.deepEqual(shown('東京 | tokyo'), [['東京', 'tokyo', 0, 'new']])
  const { problems, terms } = outline('Waco\nNew Austin | austin')
  assert.match(problems.map(describeProblem).join(), /Line 2: the address “austin” is taken/)
  assert.deepEqual(terms, [])
})

test('a list has at most 2,000 lines, and each name at most 200 characters', () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `Place ${at}`)
  assert.deepEqual(outline(lines.join('\n')).problems, [])
  assert.equal(outline([...lines, 'One more'].join('\n')).problems.length, 1)
  assert.deepEqual(outline(`${'a'.repeat(200)} | a`).problems, [])
  assert.deepEqual(outline(`${'a'.repeat(201)} | a`).problems.map(describeProblem), [
    'Line 1: the name is longer than 200 characters.',
  ])
})

for (const [what, text, options, problem] of [
  ['no levels', 'A\n  B', { isHierarchical: false }, /Line 2 is indented/],
  ['a name without letters for a slug', '東京', {}, /Line 1: add an address after “東京”/],
  ['a slug that is none', 'A | A b', {}, /Line 1: “A b” is not a valid address/],
  ['no name', '| a', {}, /Line 1 has no name/],
  ['too many lines', 'a\n'.repeat(2_001), {}, /at most 2000/],
] as const) {
  test(`a list with ${what} is refused as a whole`, () => {
    const { terms, problems } = outline(text, options)
    assert.equal(terms.length, 0)
    assert.match(problems.map(describeProblem)[0] ?? '', problem)
  })
}
