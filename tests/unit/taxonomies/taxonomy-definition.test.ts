import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taxonomyDefinition, walkTerms } from '#src/taxonomies/taxonomy-definition.ts'

const named = (slug: string, ...terms: object[]) => ({ slug, name: slug, terms })

function problemsOf(definition: unknown) {
  const { error } = taxonomyDefinition.safeParse(definition)
  return (error?.issues ?? []).map(({ path, message, ...issue }) => [
    path.join('.'),
    message,
    ...('params' in issue ? [issue.params] : []),
  ])
}

test('a file needs only what differs from a default taxonomy', () => {
  const { data } = taxonomyDefinition.safeParse({ name: 'Brands', terms: [{ slug: 'acme', name: 'Acme' }] })
  assert.deepEqual(data, {
    ...{ name: 'Brands', description: null, is_hierarchical: false, applies_to: null, sort_order: 100 },
    archive: false,
    terms: [{ slug: 'acme', name: 'Acme', description: null, terms: [] }],
  })
})

test('§2.7 each slug of a taxonomy is unique at any depth', () => {
  const tree = { name: 'Places', is_hierarchical: true }
  assert.deepEqual(problemsOf({ ...tree, terms: [named('a', named('b')), named('c')] }), [])
  assert.deepEqual(problemsOf({ ...tree, terms: [named('a', named('b')), named('b', named('a'))] }), [
    ['terms.1.slug', 'term_repeated', { slug: 'b' }],
    ['terms.1.terms.0.slug', 'term_repeated', { slug: 'a' }],
  ])
})

test('§2.6 terms have children only in a hierarchical taxonomy', () => {
  const terms = [named('a'), named('b', named('c', named('d')))]
  assert.deepEqual(problemsOf({ name: 'Brands', is_hierarchical: true, terms }), [])
  assert.deepEqual(problemsOf({ name: 'Brands', terms }), [
    ['terms.1.terms', 'terms_below'],
    ['terms.1.terms.0.terms', 'terms_below'],
  ])
})

test('every error of a file is reported at once, for any value in place of terms', () => {
  const terms = [
    named('a'),
    null,
    'b',
    { name: 'No slug' },
    { name: 'Neither' },
    { ...named('c'), terms: 'd' },
  ]
  const problems = problemsOf({ name: 7, terms: [...terms, named('a', named('e'))] }).map(([path]) => path)
  assert.deepEqual(problems.toSorted(), [
    ...['name', 'terms.1', 'terms.2', 'terms.3.slug', 'terms.4.slug', 'terms.5.terms'],
    ...['terms.6.slug', 'terms.6.terms'],
  ])
  for (const other of [null, 'Brands', 7, undefined])
    assert.deepEqual(problemsOf(other).length, 1, String(other))
  assert.deepEqual([...walkTerms(undefined)], [])
})
