import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMistake } from '#src/admin/settings/setting-mistakes.ts'
import { toSettingIssue } from '#src/site/settings/setting-issue.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'

/** What the form of the settings says about this input. */
function mistakesOf(settings: Record<string, unknown>) {
  const issues = siteSettings.safeParse({ name: 'Acme', ...settings }).error?.issues ?? []
  return issues.map((issue) => toMistake(toSettingIssue(issue)))
}

const CASES: [Record<string, unknown>, field: string, message: string][] = [
  [{ name: ' ' }, 'name', 'Enter the name of the business.'],
  [{ tagline: ' ' }, 'tagline', 'Expected text.'],
  [
    { socials: [{ label: ' ', url: 'https://a.example' }] },
    'socials',
    'Link 1: fill in name, or empty the whole row.',
  ],
  [
    {
      navigation: [
        { label: 'A', path: '/' },
        { label: 'B', path: 'b' },
      ],
    },
    'navigation',
    'Link 2: Address, expected a path that starts with a single /, or a full address.',
  ],
  [
    { home: { faq: [{ question: 'Why?', answer: '' }] } },
    'home.faq',
    'Question 1: fill in answer, or empty the whole row.',
  ],
]

for (const [settings, field, message] of CASES)
  test(`settings: ${message}`, () => assert.deepEqual(mistakesOf(settings), [{ field, message }]))

test('settings: a phone number in a list that nobody can dial is named with its row', () => {
  const issue = { path: ['phones', 1, 'number'], code: 'undialable', params: { country: 'US' } } as const
  assert.match(toMistake(issue).message, /^Number 2: enter one number /)
  assert.match(toMistake({ ...issue, path: ['phone'] }).message, /^Enter one number .*\.$/)
})
