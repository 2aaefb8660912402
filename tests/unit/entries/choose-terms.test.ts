import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChoosableTaxonomy, chooseTerms, mayHaveTermsOfAll } from '#src/entries/terms/entry-terms.ts'

const term = (id: number, slug: string, name: string) => ({ id, slug, name })
const CHOOSABLE = [
  {
    taxonomy: { slug: 'locations', name: 'Locations' },
    terms: [term(1, 'austin', 'Austin'), term(2, 'paris-tx', 'Paris'), term(3, 'paris-tn', 'Paris')],
  },
  { taxonomy: { slug: 'topics', name: 'Topics' }, terms: [term(4, 'paris', 'City trips')] },
  // Every object has a property of this name.
  { taxonomy: { slug: 'constructor', name: 'Builders' }, terms: [term(5, 'joe', 'Joe')] },
] as unknown as ChoosableTaxonomy[]

test('ticked and typed terms are chosen, and terms of other taxonomies stay', () => {
  for (const [ticked, typed, current, chosen] of [
    [[1, 99], {}, [2, 77], [1, 77]],
    [[], { locations: ['AUSTIN', 'paris-tn'] }, [], [1, 3]],
    [[4], { topics: ['paris'], unknown: ['x'] }, [], [4]],
    [[], { constructor: ['Joe'] }, [], [5]],
  ] as const) {
    const input = { termIds: [...ticked], namedTerms: { ...typed } as unknown as Record<string, string[]> }
    assert.deepEqual(chooseTerms(CHOOSABLE, input, current), { termIds: chosen, problems: [] })
  }
})

test('a typed term that doesn’t exist or is ambiguous is a problem of its own input', () => {
  const namedTerms = { locations: ['Paris', 'Rome'], topics: ['Paris'] }
  assert.deepEqual(chooseTerms(CHOOSABLE, { termIds: [], namedTerms }, []), {
    termIds: [],
    problems: [
      {
        ...{ path: ['named_terms', 'locations'], code: 'term_ambiguous' },
        params: { text: 'Paris', slugs: ['paris-tx', 'paris-tn'] },
      },
      {
        ...{ path: ['named_terms', 'locations'], code: 'term_unknown' },
        params: { text: 'Rome', taxonomy: 'Locations' },
      },
      {
        ...{ path: ['named_terms', 'topics'], code: 'term_unknown' },
        params: { text: 'Paris', taxonomy: 'Topics' },
      },
    ],
  })
})

for (const [slug, isRoutable, isAllowed] of [
  ['projects', true, true],
  ['projects', false, false],
  ['testimonials', false, true],
] as const)
  test(`${slug} ${isRoutable ? 'with' : 'without'} pages ${isAllowed ? 'have' : 'don’t have'} terms of every taxonomy`, () => {
    assert.equal(mayHaveTermsOfAll({ slug, isRoutable }), isAllowed)
  })
