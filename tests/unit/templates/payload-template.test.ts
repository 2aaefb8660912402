import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOption } from '#src/forms/fields/field-option.ts'
import type { Json } from '#src/lib/canonical-json.ts'
import { labelsOf, toChoices } from '#src/templates/choice-labels.ts'
import type { DeliveryMeta } from '#src/templates/meta.ts'
import { fillText, listReferences, parseTemplate } from '#src/templates/payload-template.ts'
import { defaultPayload } from '#src/webhooks/body/render-body.ts'

const SUBJECT = {
  answers: {
    name: 'Ann "The Fan" O’Neil',
    budget: 500,
    agreed: true,
    refused: false,
    interests: ['seo', 'web'],
    note: null,
    tricky: '{{budget}} $& $1 {{meta.form_slug}}',
    plan: { name: 'plan.pdf', size: 3 },
    service: 'ac',
    extras: ['pets', 'gate', 'gone'],
    empty_group: [],
    blank: '',
    slack: '<!channel> & "you"',
  },
  meta: { form_slug: 'quote', location_slug: null },
  choices: new Map([
    ['service', new Map([['ac', 'Air conditioning']])],
    [
      'extras',
      new Map([
        ['pets', 'Pet-friendly crew'],
        ['gate', 'Gate <code>'],
      ]),
    ],
    ['note', new Map([['x', 'X']])],
  ]),
}

const CASES: [string, Json, Json][] = [
  ['text without references stays', 'New lead', 'New lead'],
  ['an empty text stays', '', ''],
  ['a whole reference keeps a number', '{{budget}}', 500],
  ['a whole reference keeps true', '{{agreed}}', true],
  ['a whole reference keeps a list', '{{interests}}', ['seo', 'web']],
  ['a whole reference keeps null', '{{note}}', null],
  ['a whole reference keeps an object', '{{plan}}', { name: 'plan.pdf', size: 3 }],
  ['a whole reference keeps text', '{{name}}', 'Ann "The Fan" O’Neil'],
  ['spaces inside the braces do not count', '{{ budget }}', 500],
  ['text around it makes text of a number', 'USD {{budget}}', 'USD 500'],
  ['text around it makes text of true', ' {{agreed}}', ' true'],
  ['lists are joined by a comma and a space', 'for {{interests}}.', 'for seo, web.'],
  ['null is empty inside text', '[{{note}}]', '[]'],
  ['a file is its name inside text', 'see {{plan}}', 'see plan.pdf'],
  ['several references in one text', '{{budget}}/{{meta.form_slug}}', '500/quote'],
  ['meta without a value is null', '{{meta.location_slug}}', null],
  ['inserted text is not scanned again', 'x {{tricky}}', 'x {{budget}} $& $1 {{meta.form_slug}}'],
  ['two references do not make a third', '{{{{note}}budget}}', '{{budget}}'],
  ['a field that is gone is null', '{{removed}}', null],
  ['an inherited property is not a field', '{{constructor}}', null],
  ['keys stay as they are', { '{{budget}}': '{{budget}}' }, { '{{budget}}': 500 }],
  ['a default fills in for null', '{{note | default: "none"}}', 'none'],
  ['a default fills in for an empty group', '{{empty_group | default: "none"}}', 'none'],
  ['a default leaves a list', '{{interests | default: "none"}}', ['seo', 'web']],
  ['a default fills in for an empty text', '{{blank|default:"none"}}', 'none'],
  ['a default in single quotes needs no escaping in JSON', '{{note | default: \'say "hi"\'}}', 'say "hi"'],
  ['a default leaves an answer and its type', '{{budget | default: "none"}}', 500],
  ['a default leaves false', '{{refused | default: true}}', false],
  ['a default may be a number', '{{note | default: 0}}', 0],
  ['a default may be null', '{{note | default: null}}', null],
  ['a default for meta', '{{meta.location_slug | default: "nowhere"}}', 'nowhere'],
  ['a default may hold braces and pipes', '{{note | default: "a}} | {{b"}}!', 'a}} | {{b!'],
  ['text is never null', '{{note | text}}', ''],
  ['text of a number', '{{budget | text}}', '500'],
  ['text of a list', '{{interests | text}}', 'seo, web'],
  ['text of an empty list', '{{empty_group | text}}', ''],
  ['text of a file is its name', '{{plan | text}}', 'plan.pdf'],
  ['text for meta', '{{meta.location_slug | text}}', ''],
  ['a label in place of a value', '{{service.label}}', 'Air conditioning'],
  [
    'labels stay a list; a choice that is gone shows its value',
    '{{extras.label}}',
    ['Pet-friendly crew', 'Gate <code>', 'gone'],
  ],
  ['an answer without choices is its own label', '{{interests.label}}', ['seo', 'web']],
  ['labels inside text', 'with {{extras.label}}', 'with Pet-friendly crew, Gate <code>, gone'],
  ['no answer has no label', '{{note.label}}', null],
  ['a label with a default', '{{note.label | default: "not given"}}', 'not given'],
  ['filters apply from left to right', '{{note.label | default: "<none>" | escape}}', '&lt;none&gt;'],
  ['escape for Slack and Google Chat', '{{slack | escape}}', '&lt;!channel&gt; &amp; "you"'],
  ['escape is text, never null', '{{note | escape}}', ''],
  ['escape of labels', 'for {{extras.label | escape}}', 'for Pet-friendly crew, Gate &lt;code&gt;, gone'],
  ['inserted text has no filters', 'x {{tricky | text}}', 'x {{budget}} $& $1 {{meta.form_slug}}'],
  ['nesting', { a: [{ b: 'n={{budget}}' }, 7, null, false] }, { a: [{ b: 'n=500' }, 7, null, false] }],
]

for (const [name, template, expected] of CASES) {
  test(`§4 outbound 3: ${name}`, () => {
    assert.deepEqual(parseTemplate(template)(SUBJECT), expected)
  })
}

test('text for people is text, even for a single number or null', () => {
  const filled = ['{{budget}}', 'for {{service.label}}', '{{note}}'].map((text) => fillText(text, SUBJECT))
  assert.deepEqual(filled, ['500', 'for Air conditioning', ''])
})

test('answers can’t break out of a template’s JSON', () => {
  const hostile = '","admin":true,"x":"'
  const rendered = parseTemplate({ message: 'said {{note}}' })({
    answers: { note: hostile },
    meta: {},
    choices: new Map(),
  })
  assert.deepEqual(JSON.parse(JSON.stringify(rendered)), { message: `said ${hostile}` })
})

test('a template’s references are listed once, without keys', () => {
  const template = {
    '{{key}}': [
      '{{b}} and {{ a }}',
      { x: '{{b}}', nothing: null },
      '{{meta.form_slug}}',
      '{{Not a name}}',
      '{{c.label | text}}',
    ],
  }
  assert.deepEqual(listReferences(template), ['b', 'a', 'meta.form_slug', 'Not a name', 'c'])
})

test('contract §6: the body without a template', () => {
  const meta = {
    ...{ submission_id: 7, form_id: 1, form_slug: 'waitlist', form_name: 'Waitlist' },
    submitted_at: '2026-11-20T10:00:00.000Z',
  } as DeliveryMeta
  assert.deepEqual(defaultPayload({ answers: { email: 'a@example.com' }, choices: new Map(), meta }), {
    type: 'form.submitted',
    timestamp: '2026-11-20T10:00:00.000Z',
    data: {
      form: { id: 1, slug: 'waitlist', name: 'Waitlist' },
      submission: { id: 7, submitted_at: '2026-11-20T10:00:00.000Z', answers: { email: 'a@example.com' } },
      meta,
    },
  })
})

test('§2.2 a choice’s label is the one in the form', () => {
  for (const option of ['High / high', 'And/or/both', 'a/b', 'plain', ' plain ', 'Zero/0', 'Empty/']) {
    const { label, value } = parseOption(option)
    assert.deepEqual(
      toChoices([{ name: 'x', options: [option] }])
        .get('x')
        ?.get(value),
      label,
      option,
    )
  }
})

test('only answered questions with choices have labels', () => {
  const choices = toChoices([
    { name: 'size', options: ['Big/b'] },
    { name: 'color', options: ['Red/r'] },
    { name: 'budget', options: [] },
  ])
  assert.deepEqual(labelsOf({ size: 'b', budget: 500 }, choices), { size: 'Big' })
})

test('contract §6: the body without a template has choice labels beside the answers', () => {
  const { answers, choices } = SUBJECT
  const payload = defaultPayload({ answers, choices, meta: {} as DeliveryMeta }) as {
    data: { submission: { answers: object; labels: object } }
  }
  assert.deepEqual(payload.data.submission.labels, {
    ...{ service: 'Air conditioning', extras: ['Pet-friendly crew', 'Gate <code>', 'gone'], note: null },
  })
  assert.deepEqual(payload.data.submission.answers, answers)
})
