import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewTerm } from '#src/admin/taxonomies/describe-added.ts'
import { describeArchive } from '#src/admin/taxonomies/describe-archive.ts'
import { describeListing } from '#src/admin/taxonomies/describe-listing.ts'
import { parentOptions } from '#src/admin/taxonomies/parent-options.ts'
import { placeKindOptions } from '#src/admin/taxonomies/place-kinds.ts'
import { findTerms, pageWith, type ShownTerm, shownTerms } from '#src/admin/taxonomies/shown-terms.ts'
import {
  NEW_TAXONOMY_FORM,
  TAXONOMY_FORM,
  toFormValues,
  toTaxonomyValues,
} from '#src/admin/taxonomies/taxonomy-form.ts'
import { readTermEdit, TERM_FORM, toTermValues } from '#src/admin/taxonomies/term-form.ts'
import { buildTermTree, type TermNode } from '#src/taxonomies/term-tree.ts'

const term = (id: number, slug: string, parentId: number | null = null) => ({
  ...{ id, slug, parentId, name: slug.toUpperCase(), taxonomyId: 1, position: id },
  ...{ description: null, formerSlugs: [], kind: null },
})

const TREE = buildTermTree([
  ...[term(1, 'usa'), term(2, 'texas', 1), term(3, 'austin', 2), term(4, 'hyde', 3), term(5, 'ohio', 1)],
])
const at = (slug: string) => TREE.bySlug.get(slug) as TermNode

/** Some terms with this many others inside each. */
const treeOf = (parents: number, inside: number) =>
  buildTermTree(
    Array.from({ length: parents }, (_, index) => index * 1_000 + 1).flatMap((id) => [
      term(id, `p${id}`),
      ...Array.from({ length: inside }, (_, child) => term(id + child + 1, `c${id + child + 1}`, id)),
    ]),
  )

test('a tree shows the levels that have room, and counts what is folded', () => {
  const outline = (terms: readonly ShownTerm[] = []): unknown[] =>
    terms.map(({ node, children, below }) => [node.slug, below, ...(children ? outline(children) : ['…'])])
  assert.deepEqual(outline(shownTerms(TREE, undefined).terms), [
    ['usa', 4, ['texas', 2, ['austin', 1, ['hyde', 0]]], ['ohio', 0]],
  ])
  assert.deepEqual(outline(shownTerms(TREE, at('texas')).terms), [['austin', 1, ['hyde', 0]]])
  // 200 are shown: 2 parents, and the 99 terms inside each.
  const open = (parents: number, inside: number) =>
    shownTerms(treeOf(parents, inside), undefined).terms.map(({ children }) => children !== undefined)
  assert.deepEqual(
    [open(2, 99), open(2, 100), open(2, 199)],
    [
      [true, true],
      [true, false],
      [false, false],
    ],
  )
})

test('a long level is shown in pages', () => {
  const { terms, before, behind } = shownTerms(treeOf(450, 0), undefined, 200)
  assert.deepEqual([terms.length, terms[0]?.node.slug, before, behind], [200, 'p200001', 200, 50])
  assert.deepEqual([0, 199, 200, 399, 400, -1].map(pageWith), [0, 0, 200, 200, 400, 0])
})

test('a term is found by part of its name or slug', () => {
  const tree = buildTermTree([{ ...term(1, 'co-clare'), name: 'County Clare' }, term(2, 'kerry')])
  const found = (text: string) => findTerms(tree, text).found.map(({ slug }) => slug)
  assert.deepEqual([found('COUNTY'), found('co-'), found('x')], [['co-clare'], ['co-clare'], []])
})

test('new terms are those of the address', () => {
  const isNew = (query: string | null, id: number) => isNewTerm(query, { id })
  assert.deepEqual(
    [11, 12, 19, 20].map((id) => isNew('12-19', id)),
    [false, true, true, false],
  )
  for (const query of [null, '', '12', '12-', 'x12-19', '12-19x', `${'1'.repeat(16)}-19`])
    assert.equal(isNew(query, 15), false, String(query))
})

test('a parent is chosen from the tree; a long one offers the upper levels', () => {
  assert.deepEqual(
    parentOptions(TREE, undefined).map(({ value, label }) => [value, label]),
    [
      ['', 'Top level'],
      ...[
        ['1', 'USA'],
        ['2', '\u00a0\u00a0TEXAS'],
        ['3', '\u00a0\u00a0\u00a0\u00a0AUSTIN'],
      ],
      ...[
        ['4', `${'\u00a0'.repeat(6)}HYDE`],
        ['5', '\u00a0\u00a0OHIO'],
      ],
    ],
  )
  assert.equal(parentOptions(treeOf(1, 299), undefined).length, 301)
  const long = treeOf(1, 300)
  const chosen = long.byId.get(200)
  const values = (one?: TermNode) => parentOptions(long, one).map(({ value }) => value)
  assert.deepEqual(
    [values(), values(chosen)],
    [
      ['', '1'],
      ['', '1', '200'],
    ],
  )
  const wide = treeOf(301, 1)
  const last = wide.byId.get(300_001)
  assert.equal(parentOptions(wide, undefined).length, 301)
  assert.equal(parentOptions(wide, last).at(-1)?.value, '300001')
})

test('a place’s kind is that of its level, unless it is chosen', () => {
  const [usual, ...kinds] = placeKindOptions(at('texas'), 'US')
  assert.deepEqual(usual, { value: '', label: 'Automatic (State or province)' })
  assert.equal(kinds.length, 6)
  assert.equal(placeKindOptions(at('texas'), 'IE')[0]?.label, 'Automatic (County or district)')
  assert.equal(placeKindOptions({ ...at('texas'), kind: 'area' }, 'US')[0]?.label, usual?.label)
})

test('places added to a city say where they are listed', () => {
  const listing = (parent?: TermNode, taxonomy = 'locations') => describeListing(taxonomy, parent, 'US')
  assert.match(listing(at('austin')) ?? '', /AUSTIN/)
  assert.equal(listing(at('hyde')), listing(at('austin')))
  assert.deepEqual(
    [listing(at('texas')), listing(), listing(at('austin'), 'topics')],
    [undefined, undefined, undefined],
  )
})

test('an archive names its first pages', () => {
  const archive = (hasArchive: boolean, slugs: string[]) =>
    describeArchive(
      { slug: 'topics', hasArchive } as never,
      buildTermTree(slugs.map((slug, index) => term(index, slug))),
    )
  assert.match(archive(true, []), /^Public pages: \/taxonomy\/topics\. Search engines/)
  assert.match(
    archive(false, ['a', 'b']),
    /add \/taxonomy\/topics, and 2 for its categories: \/taxonomy\/topics\/a, \/taxonomy\/topics\/b\. /,
  )
  assert.match(
    archive(false, ['a', 'b', 'c']),
    /, and 3 for its categories: \/taxonomy\/topics\/a, \/taxonomy\/topics\/b, and more\. /,
  )
})

test('a taxonomy’s form shows what it reads', () => {
  const taxonomy = {
    ...{ name: 'Topics', description: null, isHierarchical: true, appliesToTypeIds: [3], sortOrder: 7 },
    hasArchive: true,
  }
  const values = toFormValues(taxonomy)
  // A browser sends no box that isn't ticked.
  const posted = (shown: object) =>
    Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ''))
  assert.deepEqual(toTaxonomyValues(TAXONOMY_FORM.parse(posted(values))), taxonomy)
  const all = {
    ...taxonomy,
    description: 'All',
    isHierarchical: false,
    appliesToTypeIds: null,
    hasArchive: false,
  }
  assert.deepEqual(toTaxonomyValues(TAXONOMY_FORM.parse(posted(toFormValues(all)))), all)
  const faultsOf = (changes: object) =>
    NEW_TAXONOMY_FORM.safeParse({ ...posted(values), slug: 'topics', ...changes }).error?.issues.map(
      ({ path }) => path.join(),
    )
  assert.equal(faultsOf({}), undefined)
  for (const [changes, field] of [
    [{ types: [] }, 'applies'],
    [{ slug: 'My topics' }, 'slug'],
    [{ sort_order: 'x' }, 'sort_order'],
    [{ sort_order: '3000000000' }, 'sort_order'],
    [{ name: ' ' }, 'name'],
  ] as const)
    assert.deepEqual(faultsOf(changes), [field], JSON.stringify(changes))
})

test('a term’s form moves its pages only if someone confirms', () => {
  const read = (changes: Record<string, string>, addresses = 0) => {
    const { based_on: _, ...shown } = toTermValues(at('austin'))
    const input = TERM_FORM.parse({ ...shown, ...changes })
    const faults: string[] = []
    const form = { input, fail: (field: string) => faults.push(field) } as never
    return [readTermEdit(form, { tree: TREE, term: at('austin'), use: { addresses } as never }), faults]
  }
  const same = { name: 'AUSTIN', slug: 'austin', description: null, parentId: 2, kind: null }
  assert.deepEqual(read({}, 3), [same, []])
  assert.deepEqual(read({ parent: '', kind: 'city' }), [{ ...same, parentId: null, kind: 'city' }, []])
  assert.deepEqual(read({ parent: 'mars' }), [undefined, ['parent']])
  const moved = { ...same, slug: 'atx' }
  assert.deepEqual(read({ slug: 'atx' }), [moved, []])
  assert.deepEqual(read({ slug: 'atx' }, 3), [undefined, ['moves_addresses']])
  assert.deepEqual(read({ slug: 'atx', moves_addresses: 'on' }, 3), [moved, []])
  assert.equal(readTermEdit({ input: undefined } as never, {} as never), undefined)
  assert.equal(TERM_FORM.safeParse({ name: 'A', slug: 'A b' }).success, false)
})
