import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../src/lib/canonical-json.ts'
import { defaultPayload } from '../../../src/webhooks/default-payload.ts'
import type { DeliveryMeta } from '../../../src/webhooks/delivery-meta.ts'
import { listReferences, renderTemplate } from '../../../src/webhooks/payload-template.ts'

const SUBJECT = {
  answers: {
    name: 'Ann "The Fan" O’Neil',
    budget: 500,
    agreed: true,
    interests: ['seo', 'web'],
    note: null,
    tricky: '{{budget}} $& $1 {{meta.form_slug}}',
    plan: { name: 'plan.pdf', size: 3 },
  },
  meta: { form_slug: 'quote', location_slug: null },
}

const CASES: [string, Json, Json][] = [
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
  ['nesting', { a: [{ b: 'n={{budget}}' }, 7, null, false] }, { a: [{ b: 'n=500' }, 7, null, false] }],
]

for (const [name, template, expected] of CASES) {
  test(`§4 outbound 3: ${name}`, () => {
    assert.deepEqual(renderTemplate(template, SUBJECT), expected)
  })
}

test('answers cannot break out of the JSON that a template makes', () => {
  const hostile = '","admin":true,"x":"'
  const rendered = renderTemplate({ message: 'said {{note}}' }, { answers: { note: hostile }, meta: {} })
  assert.deepEqual(JSON.parse(JSON.stringify(rendered)), { message: `said ${hostile}` })
})

test('the references of a template are listed once, keys left out', () => {
  const template = {
    '{{key}}': ['{{b}} and {{ a }}', { x: '{{b}}' }, '{{meta.form_slug}}', '{{Not a name}}'],
  }
  assert.deepEqual(listReferences(template), ['b', 'a', 'meta.form_slug', 'Not a name'])
})

test('contract §6: the body without a template', () => {
  const meta = {
    ...{ submission_id: 7, form_id: 1, form_slug: 'waitlist', form_name: 'Waitlist' },
    submitted_at: '2026-11-20T10:00:00.000Z',
  } as DeliveryMeta
  assert.deepEqual(defaultPayload({ answers: { email: 'a@example.com' }, meta }), {
    type: 'form.submitted',
    timestamp: '2026-11-20T10:00:00.000Z',
    data: {
      form: { id: 1, slug: 'waitlist', name: 'Waitlist' },
      submission: { id: 7, submitted_at: '2026-11-20T10:00:00.000Z', answers: { email: 'a@example.com' } },
      meta,
    },
  })
})
