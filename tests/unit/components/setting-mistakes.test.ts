import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMistake } from '#src/admin/settings/setting-mistakes.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { assertSays } from '../../support/wording.ts'

function problemsOf(settings: Record<string, unknown>) {
  return (siteSettings.safeParse({ name: 'Acme', ...settings }).error?.issues ?? []).map(problemOf)
}

const CASES: [Record<string, unknown>, field: string, code: string, says: RegExp][] = [
  [{ name: ' ' }, 'name', 'filled_text', /^Enter the business name\.$/],
  [{ tagline: ' ' }, 'tagline', 'filled_text', /^Enter text\.$/],
  [
    { socials: [{ label: ' ', url: 'https://a.example' }] },
    'socials',
    'filled_text',
    /^Link 1: fill in name, or clear the whole row\.$/,
  ],
  [
    {
      navigation: [
        { label: 'A', path: '/' },
        { label: 'B', path: 'b' },
      ],
    },
    'navigation',
    'page_path',
    /^Link 2: enter a path that starts with a single \/, or a full address\.$/,
  ],
  [
    { tags: { origins: [{ origin: 'https://cdn.example/path' }] } },
    'tags.origins',
    'https_origin',
    /^Origin 1: enter an origin such as https:\/\/www\.example\.com or https:\/\/\*\.example\.com\.$/,
  ],
  [
    { home: { faq: [{ question: 'Why?', answer: '' }] } },
    'home.faq',
    'filled_text',
    /^Question 1: fill in answer, or clear the whole row\.$/,
  ],
]

for (const [settings, field, code, says] of CASES)
  test(`settings: ${code} at ${field}`, () => {
    const [problem, ...more] = problemsOf(settings)
    assert.ok(problem)
    assert.deepEqual([problem.code, more], [code, []])
    const mistake = toMistake(problem)
    assert.equal(mistake.field, field)
    assertSays(mistake.message, says)
  })

test('settings: a text of a list that breaks another rule is reported with its row', () => {
  const issue = { path: ['home', 'faq', 1, 'answer'], code: 'max_characters', params: { max: 40 } } as const
  assertSays(toMistake(issue).message, /^Question 2: enter at most 40 characters\.$/)
})

test('settings: an undialable phone number in a list is reported with its row', () => {
  const issue = { path: ['phones', 1, 'number'], code: 'undialable', params: { country: 'US' } } as const
  assert.equal(toMistake(issue).field, 'phones')
  assertSays(toMistake(issue).message, /^Number 2: enter one valid phone number, /)
  assertSays(toMistake({ ...issue, path: ['phone'] }).message, /^Enter one valid phone number, .*\.$/)
})
