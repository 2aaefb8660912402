import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { WEB_ADDRESS } from '#src/forms/field-types/url.ts'
import { browserPattern } from '#src/forms/fields/browser-pattern.ts'
import { controlAttributes } from '#src/forms/fields/control-attributes.ts'
import type { FormField } from '#src/forms/form.ts'
import { describeAnswer } from '#src/messages/visitor/answers.ts'
import { aField } from '../../support/forms.ts'

const TABLE: [string, Partial<FormField>, object][] = [
  ['a text', { type: 'text' }, { type: 'text' }],
  ['a name', { type: 'text', name: 'full_name' }, { type: 'text', autocomplete: 'name' }],
  ['a field called like a property of every object', { name: 'constructor' }, { type: 'text' }],
  ['an email address', { type: 'email' }, { type: 'email', autocomplete: 'email' }],
  ['a phone number', { type: 'phone', name: 'mobile' }, { type: 'tel', autocomplete: 'tel' }],
  [
    'a web address',
    { type: 'url' },
    {
      type: 'url',
      autocomplete: 'url',
      pattern: WEB_ADDRESS,
      title: describeAnswer({ code: 'not_a_web_address' }),
    },
  ],
  [
    'a web address with a message of its own',
    { type: 'url', validation: { message: 'Your site, please' } },
    { type: 'url', autocomplete: 'url', pattern: WEB_ADDRESS, title: 'Your site, please' },
  ],
  [
    'a long text',
    { type: 'textarea', validation: { min_length: 3, max_length: 9, pattern: 'a' } },
    { minlength: 3, maxlength: 18 },
  ],
  [
    'a number',
    { type: 'number', validation: { min: 1, max: 9.5 } },
    { type: 'number', inputmode: 'decimal', step: 'any', min: 1, max: 9.5 },
  ],
  [
    'a date',
    { type: 'date', validation: { min: '2026-01-01' } },
    { type: 'date', min: '2026-01-01', max: '9999-12-31' },
  ],
  [
    'a date with a last day',
    { type: 'date', validation: { max: '2026-12-31' } },
    { type: 'date', max: '2026-12-31' },
  ],
  [
    'a date of birth',
    { type: 'date', name: 'date_of_birth' },
    { type: 'date', autocomplete: 'bday', max: '9999-12-31' },
  ],
  ['a hidden value', { type: 'hidden', name: 'city', validation: { max_length: 9 } }, {}],
  ['a file of any kind', { type: 'file' }, { type: 'file' }],
  [
    'a file of two kinds',
    { type: 'file', validation: { accept: ['.pdf', 'image/*'] } },
    { type: 'file', accept: '.pdf,image/*' },
  ],
  ['a text with a message alone', { validation: { message: 'Say it' } }, { type: 'text' }],
  ['a choice', { type: 'select', name: 'city' }, {}],
  ['a ticked box', { type: 'checkbox', name: 'name' }, {}],
  [
    'a pattern with a message of its own',
    { validation: { pattern: '[0-9]{5}', message: 'Five digits' } },
    { type: 'text', pattern: String.raw`\s*(?:[0-9]{5})\s*`, title: 'Five digits' },
  ],
  ['a pattern that only RE2 knows', { validation: { pattern: '(?i)abc' } }, { type: 'text' }],
]

for (const [name, field, expected] of TABLE) {
  test(`§2.2 the control of ${name} has the constraints that browsers check like the server`, () => {
    assert.deepEqual(controlAttributes(aField(field)), expected)
  })
}

const PATTERNS = [
  ...[
    '[0-9]{5}',
    String.raw`\d{3}-?\d{4}`,
    '[A-Z]{2}[0-9]{1,3}',
    '(?:yes|no)',
    'a|b|',
    '[^a-c]+x',
    String.raw`\w+@\w+`,
  ],
  ...[String.raw`[\w+]+`, 'a{2,}b?', '(ab){2}', '^a+$', '^a|b$', String.raw`\(a\)`, 'ä?b', '[a b]*'],
]

test('a browser pattern accepts exactly what the server accepts', () => {
  const given = PATTERNS.filter((pattern) => browserPattern(pattern) !== undefined)
  assert.ok(given.length >= PATTERNS.length - 1)
  const text = fc.string({
    unit: fc.constantFrom(...'aAbcxyz019-_@ +()^$\u00e4\u{1f600}yesno'),
    maxLength: 8,
  })
  for (const pattern of given) {
    // As browsers compile the attribute (HTML, "the pattern attribute").
    const browser = new RegExp(`^(?:${browserPattern(pattern)})$`, 'v')
    const server = RE2JS.compile(pattern)
    fc.assert(
      fc.property(text, (typed) => {
        const trimmed = typed.trim()
        assert.equal(
          trimmed === '' || browser.test(trimmed),
          trimmed === '' || server.matches(trimmed),
          `${pattern} ${typed}`,
        )
        if (server.matches(trimmed)) assert.ok(browser.test(` ${trimmed}\t`), `${pattern} after a space`)
      }),
      { numRuns: 300 },
    )
  }
})

test('a pattern that browsers could read differently or slowly is checked only by the server', () => {
  const kept = [
    '.+',
    String.raw`\s+`,
    '(?i)a',
    String.raw`\pL`,
    '(a+)+',
    '(a|b)*',
    '[[:alpha:]]',
    '[+--b]',
    '[a-',
    'a{2,1}',
    'a**',
  ]
  for (const pattern of [
    ...kept,
    String.raw`\Qa\E`,
    String.raw`\bx`,
    String.raw`\x{41}`,
    '[a&&b]',
    'a'.repeat(201),
  ]) {
    assert.equal(browserPattern(pattern), undefined, pattern)
  }
  assert.ok(browserPattern('a'.repeat(200)))
})
