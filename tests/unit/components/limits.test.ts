import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInboxQuery } from '#src/admin/inbox/inbox-query.ts'
import { cappedCount } from '#src/admin/kit/capped-count.ts'
import { redirectWithMessage } from '#src/admin/kit/flash.ts'
import { chosenIds, emailAddress, optionalText, requiredText } from '#src/admin/kit/form-values.ts'
import { findTerms, shownTerms } from '#src/admin/taxonomies/shown-terms.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'

const x = (length: number) => 'x'.repeat(length)

for (const [what, schema, most, of] of [
  ['a required text', requiredText('Enter a name.'), 200, x],
  ['a required text of 10', requiredText('Enter a name.', 10), 10, x],
  ['an optional text', optionalText(), 200, x],
  ['an email address', emailAddress, 254, (size: number) => emailOf(size)],
  ['a choice of', chosenIds, 500, (size: number) => Array(size).fill('1')],
] as const) {
  test(`${what} has at most ${most}`, () => {
    assert.equal(schema.safeParse(of(most)).error, undefined)
    assert.equal(schema.safeParse(of(most + 1)).success, false)
  })
}

test('a selection is empty, or has IDs of at most 15 digits', () => {
  assert.deepEqual(chosenIds.parse(undefined), [])
  assert.equal(chosenIds.safeParse(['9'.repeat(15)]).success, true)
  assert.equal(chosenIds.safeParse(['9'.repeat(16)]).success, false)
})

test('a count is exact up to 99', () => {
  assert.deepEqual([99, 100, 101].map(cappedCount), ['99', '99+', '99+'])
})

test('inbox searches have at most 200 characters', () => {
  const secretBox = createSecretBox(new Uint8Array(32))
  const search = (q: string) =>
    readInboxQuery(new URLSearchParams({ q }), {
      scope: EVERY_LEAD,
      forms: [],
      stages: [],
      timeZone: 'UTC',
      secretBox,
    }).filter.search
  assert.deepEqual([x(200), x(201)].map(search), [x(200), x(200)])
})

test('a message over 300 characters is truncated with an ellipsis', () => {
  const messageOf = (text: string) => {
    const kept: string[] = []
    const cookies = { set: (_name: string, value: string) => kept.push(value) }
    redirectWithMessage(
      { cookies, locals: { app: { config: { adminUrl: 'http://localhost' } } } } as never,
      '/admin',
      { text },
    )
    return JSON.parse(kept[0] ?? '').text
  }
  assert.deepEqual([x(300), x(301)].map(messageOf), [x(300), `${x(299)}…`])
})

test('a long list of terms shows 200, and 50 search results', () => {
  const treeOf = (count: number) =>
    buildTermTree(
      Array.from({ length: count }, (_, at) => ({
        ...{ id: at + 1, taxonomyId: 1, parentId: null, slug: `place-${at}`, name: `Place ${at}` },
        ...{ description: null, position: at, formerSlugs: [], kind: null },
      })),
    )
  const shown = (count: number) => {
    const { terms, behind } = shownTerms(treeOf(count), undefined)
    return [terms.length, behind]
  }
  assert.deepEqual(
    [shown(200), shown(201)],
    [
      [200, 0],
      [200, 1],
    ],
  )
  const found = (count: number) => {
    const { found, isCut } = findTerms(treeOf(count), 'place')
    return [found.length, isCut]
  }
  assert.deepEqual(
    [found(50), found(51)],
    [
      [50, false],
      [50, true],
    ],
  )
})

// A label has at most 63 characters, what is before the @ at most 64.
function emailOf(length: number): string {
  const domain = `${x(63)}.${x(63)}.${x(57)}.com`
  return `${x(length - domain.length - 1)}@${domain}`
}
