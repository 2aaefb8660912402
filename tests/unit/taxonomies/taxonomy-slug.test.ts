import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SLUG_LENGTH } from '#src/lib/slug.ts'
import { isTaxonomySlug } from '#src/taxonomies/change-taxonomy.ts'

test('a taxonomy slug has lowercase letters and digits with single hyphens or underscores', () => {
  for (const [slug, isGood] of [
    ['brands', true],
    ['service_categories', true],
    ['brand-2', true],
    ['a'.repeat(MAX_SLUG_LENGTH), true],
    ['a'.repeat(MAX_SLUG_LENGTH + 1), false],
    ['', false],
    ['Brands', false],
    ['brand names', false],
    ['brand__names', false],
    ['-brands', false],
    ['brands_', false],
  ] as const)
    assert.equal(isTaxonomySlug(slug), isGood, slug)
})
